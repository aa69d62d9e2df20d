import ArgumentParser
import CredentialReports
import Credentials
import Encodings
import FHIR
import Glibc
import Inputs
import Processes
import SystemPackage

// What `verify`, `records`, `batch` and `fetch-cards` accept: the groups of options in the order of the help, each with its checks. Given/
// reads the files that options name. Options have literal names here, because the parser needs time to derive one from a property's name.

/// A command that verifies cards.
///
/// Its groups of options are not combined into one, because each level of groups makes parsing slower.
protocol VerifyingCommand: ParsableCommand {
    associatedtype Network: NetworkChoices

    var keys: KeyOptions { get }
    var trust: TrustOptions { get }
    var records: RecordOptions { get }
    var network: Network { get }
    /// The time for which cards are verified; nil for now.
    var at: VerificationTime.Moment? { get }
}

extension VerifyingCommand {
    func validateTrust() throws { try trust.requireTrust(hasKeys: !keys.jwks.isEmpty) }
}

// MARK: - Input

/// The inputs to read cards from.
struct InputOptions: ParsableArguments {
    @Argument(help: .of("input.verify"), completion: .file()) var input: [GivenValues] = []

    @Option(name: .customLong("qr"), help: .of("qr")) var qr: [GivenValues] = []

    @Flag(help: "Read standard input (-) only up to the first whole code, as a scanner types it.") var once = false

    /// Whether there is nothing to read.
    var isEmpty: Bool { input.isEmpty && qr.isEmpty }

    /// Throws if there is nothing to read.
    func requireInput() throws {
        guard !isEmpty else {
            throw ValidationError("Nothing to read: name a file, - for standard input, or give --qr.")
        }
    }

    func validate() throws {
        let count = input.all.count { InputReader.isStandardInput($0) }
        guard count <= 1 else {
            throw ValidationError("Standard input can be read only once.")
        }
        guard !once || count == 1 else {
            throw ValidationError("--once has an effect only with - as an input.")
        }
    }
}

// MARK: - Keys and trust

/// The keys and revocation lists that the user supplies.
struct KeyOptions: ParsableArguments {
    @Option(name: .customLong("jwks"), help: .of("jwks"), completion: .file()) var jwks: [GivenValues] = []

    @Option(name: .customLong("crl"), help: .of("crl"), completion: .file()) var crl: [GivenValues] = []
}

/// The lists of trusted issuers that the options name.
protocol TrustLists {
    var directory: [GivenValues] { get }
    var trust: [GivenValues] { get }
    var anchor: [GivenValues] { get }
    var listKey: [GivenValues] { get }
    var allowTestLists: Bool { get }
}

extension TrustLists {
    fileprivate func checkURLs() throws {
        for url in trust.all { _ = try Issuer(url, option: "--trust") }
    }
}

/// The lists of trusted issuers, for `lint`.
struct TrustListOptions: ParsableArguments, TrustLists {
    @Option(help: .of("directory"), completion: .file()) var directory: [GivenValues] = []
    @Option(help: .of("trust"), completion: KnownWords.issuers) var trust: [GivenValues] = []
    @Option(help: .of("anchor"), completion: .file()) var anchor: [GivenValues] = []
    @Option(help: .of("list-key"), completion: .file()) var listKey: [GivenValues] = []
    @Flag(help: .of("allow-test-lists")) var allowTestLists = false

    func validate() throws { try checkURLs() }
}

/// The lists of trusted issuers, and what is required of them.
struct TrustOptions: ParsableArguments, TrustLists {
    @Option(help: .of("directory"), completion: .file()) var directory: [GivenValues] = []
    @Option(help: .of("trust"), completion: KnownWords.issuers) var trust: [GivenValues] = []
    @Option(help: .of("anchor"), completion: .file()) var anchor: [GivenValues] = []
    @Option(help: .of("list-key"), completion: .file()) var listKey: [GivenValues] = []
    @Flag(help: .of("allow-test-lists")) var allowTestLists = false

    @Option(name: .customLong("max-directory-age"), help: .of("max-directory-age")) var maxDirectoryAge: Double?

    @Flag(name: .customLong("require-trusted"), help: .of("require-trusted")) var requireTrusted = false

    @Flag(name: .customLong("require-revocation"), help: .of("require-revocation")) var requireRevocation = false

    /// Whether the command line or the environment requires that revocation is checked.
    var isRevocationRequired: Bool { requireRevocation || EnvironmentVariable.isSet("SHCVERIFY_REQUIRE_REVOCATION") }

    func validate() throws {
        try checkURLs()
        if let days = maxDirectoryAge, !(0...36_500).contains(days) {
            throw ValidationError("--max-directory-age must be a number of days from 0 to 36500.")
        }
    }

    /// Whether the command line or the environment requires a statement of trust.
    var isTrustRequired: Bool { requireTrusted || EnvironmentVariable.isSet("SHCVERIFY_REQUIRE_TRUSTED") }

    /// Throws if a statement of trust is required and none is given.
    ///
    /// - Parameters:
    ///   - hasKeys: whether `--jwks` is given, which is a statement of trust in those keys.
    ///   - remark: what the message says in addition.
    func requireTrust(hasKeys: Bool, remark: String = "") throws {
        guard !isTrustRequired || hasKeys || !directory.isEmpty || !trust.isEmpty || !anchor.isEmpty else {
            throw ValidationError(
                "--require-trusted needs one of --directory, --trust, --anchor and --jwks, to say whom to trust.\(remark)"
            )
        }
    }
}

extension EnvironmentVariable {
    /// Whether a variable means yes. Every value except a clear no means yes, because a misspelt value must not open a gate.
    fileprivate static func isSet(_ name: String) -> Bool {
        !["", "0", "false", "no", "off"].contains((value(of: name) ?? "").lowercased())
    }
}

extension Issuer {
    /// The issuer that an option names.
    ///
    /// - Throws: if no card's issuer can have this URL, because the option would have no effect. A slash at the end is accepted: it is a
    ///   frequent mistake, and the verdict on a card names the similar issuer.
    init(_ url: String, option: String) throws(ValidationError) {
        self.init(unchecked: url)
        guard let error = Result(catching: { () throws(VerificationFailure) in try Issuer(withoutSlash.url) }).failure
        else { return }
        throw ValidationError("\(option) needs the https URL of an issuer, as in its cards; \(error.message)")
    }
}

// MARK: - Records

/// The records to require or to select, and names for codes.
struct RecordOptions: ParsableArguments {
    @Option(
        name: .customLong("record-type"), help: .of("record-type"), completion: .list(RequiredRecordType.commonNames))
    var recordType: [GivenValues] = []

    @Option(name: .customLong("since"), help: .of("since")) var since: String?

    @Option(name: .customLong("until"), help: .of("until")) var until: String?

    @Option(name: .customLong("codes"), help: .of("codes.verify"), completion: .file()) var codes: [GivenValues] = []

    func validate() throws { _ = try query() }

    /// The records to require, or to select.
    func query() throws -> RecordQuery {
        do throws(Malformed) {
            return try RecordQuery(recordTypes: recordType.all, since: since, until: until)
        } catch {
            throw ValidationError("\(error)")
        }
    }
}

// MARK: - Check-in

/// The options of commands that open SMART Health Check-ins.
struct CheckInOptions: ParsableArguments {
    @Option(name: .customLong("request"), help: .of("request"), completion: .file()) var request: String?

    @Option(name: .customLong("recipient-key"), help: .of("recipient-key"), completion: .file())
    var recipientKey: String?

    @Option(name: .customLong("origin"), help: .of("origin")) var origin: String?

    @Flag(name: .customLong("strict-envelope"), help: .of("strict-envelope")) var isStrict = false

    func validate() throws {
        guard let origin, !Self.isOrigin(Array(origin.utf8)) else { return }
        throw ValidationError(
            "--origin needs an origin such as https://clinic.example, without a slash at the end, a path, a query or a user."
        )
    }

    /// Whether a text may be an origin. One without an authority is as the platform reports it, such as `android:apk-key-hash:…`.
    private static func isOrigin(_ text: [UInt8]) -> Bool {
        guard (1...2048).contains(text.count), text.allSatisfy({ (0x21...0x7E).contains($0) }),
            text.last != UInt8(ascii: "/"), let colon = text.firstIndex(of: UInt8(ascii: ":"))
        else { return false }
        let rest = text[(colon + 1)...]
        guard rest.starts(with: "//".utf8) else {
            return !["http", "https"].contains { InputForm.begins(text[..<colon], with: $0) && colon == $0.utf8.count }
        }
        let authority = rest.dropFirst(2)
        return !authority.isEmpty && !authority.contains { "/?#@\\".utf8.contains($0) }
    }
}

// MARK: - Output

/// The options of `verify` for its output.
struct OutputOptions: ParsableArguments {
    @Option(name: .customLong("format"), help: ArgumentHelp(VerdictFormat.help))
    var format = VerdictFormat.text

    @Flag(name: [.customShort("q"), .customLong("quiet")], help: .of("quiet.verify")) var quiet = false

    @Flag(name: .customLong("brief"), help: .of("brief")) var brief = false

    @Option(name: .customLong("color"), help: .of("color")) var color = ColorChoice.auto

    @Option(name: .customLong("handover"), help: .of("handover"), completion: .file()) var handover: String?

    @Flag(name: .customLong("include-unsigned"), help: .of("include-unsigned")) var includeUnsigned = false

    func validate() throws {
        guard !brief || format == .text else { throw ValidationError("--brief has an effect only with --format text.") }
        guard !includeUnsigned || format == .handover || handover != nil else {
            throw ValidationError("--include-unsigned has an effect only with --handover or --format handover.")
        }
        guard let handover else { return }
        guard format != .handover else {
            throw ValidationError(
                "--handover writes to a file what --format handover prints, so only one of them can be given.")
        }
        guard !handover.isEmpty, handover != "-" else {
            throw ValidationError("--handover needs a file. --format handover writes to standard output.")
        }
    }

    /// Whether the report for people is printed.
    var isForPeople: Bool { format == .text && !quiet }

    /// The file of the hand-over; nil if none is asked for. Only the owner may read it, because it is a health record.
    ///
    /// An old file is removed at once, so that nobody mistakes it for the result of this run, however the run ends.
    ///
    /// - Throws: `CommandFailure` if it cannot be written; `ValidationError` if another argument names it too.
    func handoverFile() throws -> OutputFile? {
        guard let handover else { return nil }
        guard Self.argumentCount(naming: handover) < 2 else {
            throw ValidationError("--handover \(handover): this file is also read, and its content would be lost.")
        }
        let file = try OutputFile(handover, option: "--handover", permissions: [.ownerReadWrite])
        try file.discard()
        return file
    }

    /// How many arguments, or values behind an equals sign, name the same regular file as a path.
    private static func argumentCount(naming path: String) -> Int {
        let file = FileIdentity(path)
        return CommandLine.arguments.dropFirst().count { argument in
            // A name may contain equals signs too, so the text after each of them counts.
            let values =
                [argument]
                + argument.indices.filter { argument[$0] == "=" }.map { String(argument[argument.index(after: $0)...]) }
            guard let file else { return values.contains(path) }
            return values.contains { FileIdentity($0) == file }
        }
    }

    /// What identifies a regular file, whatever its path.
    private struct FileIdentity: Equatable {
        let device: dev_t
        let number: ino_t

        /// - Returns: nil if the path does not lead to a regular file.
        init?(_ path: String) {
            var status = stat()
            // Unsafe: the C library reads the path and writes the structure, both of which live for the call.
            guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
            (device, number) = (status.st_dev, status.st_ino)
        }
    }
}

// MARK: - Time

// The values of `--at`. The option is in no group, because each group makes parsing slower.

extension NumericDate {
    /// Reads the value of `--at`: the time for which cards are linted or links are opened.
    static func ofOption(_ text: String) throws -> NumericDate {
        if let moment = moment(text) { return moment }
        throw ValidationError("--at needs a time: \(advice(on: text)).")
    }

    /// The earliest number that is read as seconds since 1970. It is in 1973, long before all cards. A smaller number is probably a year,
    /// or a date without hyphens.
    private static let earliestNumber = NumericDate(sinceEpoch: .seconds(100_000_000))

    /// The time that a text means; nil if that is not clear.
    fileprivate static func moment(_ text: String) -> NumericDate? {
        guard let moment = NumericDate(text: text) else { return nil }
        // A time in RFC 3339 has a colon. A number has none.
        return moment < earliestNumber && !text.utf8.contains(UInt8(ascii: ":")) ? nil : moment
    }

    /// What to write instead of a value that is not a time.
    fileprivate static func advice(on text: String) -> String {
        if text.utf8.elementsEqual("issued".utf8) { return "\"issued\" is only for commands that verify cards" }
        let digits = text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? text : ""
        // A date, a month, a year, and a date without hyphens.
        let dates = [
            text, "\(text)-01", "\(text)-01-01",
            digits.utf8.count == 8 ? "\(digits.prefix(4))-\(digits.dropFirst(4).prefix(2))-\(digits.suffix(2))" : "",
        ]
        for date in dates where date.utf8.count == 10 && NumericDate(text: "\(date)T00:00:00Z") != nil {
            let what =
                digits.isEmpty
                ? "a date alone" : "\(digits) as seconds since 1970 is no time of a card, and as a date it"
            return "\(what) does not say which moment is meant; write --at \(date)T00:00:00Z"
        }
        if text.utf8.count <= 40, NumericDate(text: "\(text)Z") != nil {
            return "it lacks the zone; write --at \(text)Z, or an offset such as +01:00 in place of the Z"
        }
        if NumericDate(text: text) != nil { return "as seconds since 1970, this cannot be the time of a card" }
        return "RFC 3339 with a zone (2021-06-01T00:00:00Z), or seconds since 1970"
    }
}

extension VerificationTime.Moment {
    /// Reads the value of `--at`: the time for which cards are verified.
    static func ofOption(_ text: String) throws -> VerificationTime.Moment {
        if text.utf8.elementsEqual("issued".utf8) { return .issue }
        if let moment = NumericDate.moment(text) { return .given(moment) }
        throw ValidationError("--at needs a time, or \"issued\": \(NumericDate.advice(on: text)).")
    }
}
