import ArgumentParser
import Containers
import Credentials
import Encodings
import Glibc
import SystemPackage

// MARK: - Network

/// What the options of a command say about requests.
///
/// Each group has the same options, and hides from the help those that its commands refuse or ignore. The groups do not share one, because
/// each level of groups makes parsing slower.
protocol NetworkChoices: Sendable {
    var offline: Bool { get }
    var timeout: Double { get }
    var allowPrivateNetwork: Bool { get }
    var caFile: String? { get }
    /// Where fetched keys and lists are kept.
    var cache: String? { get }
    var noCache: Bool { get }
    /// How many days copies may be used after they are no longer fresh.
    var maxStale: Double { get }
    var verbosity: Int { get }
}

/// The options for requests to issuers.
struct NetworkOptions: ParsableArguments, NetworkChoices {
    @Flag(help: .of("offline")) var offline = false
    @Option(help: .of("timeout")) var timeout: Double = 10
    @Flag(help: .of("allow-private-network")) var allowPrivateNetwork = false
    @Option(help: .of("ca-file"), completion: .file()) var caFile: String?
    @Option(help: .of("cache"), completion: .directory) var cache: String?
    @Flag(help: .of("no-cache")) var noCache = false
    @Option(help: .of("max-stale")) var maxStale: Double = 0
    @Flag(name: .verbose, help: .of("verbose")) var verbosity: Int

    func validate() throws { try check() }
}

/// The same for `fetch-cards`, which refuses `--offline`.
struct ServerNetworkOptions: ParsableArguments, NetworkChoices {
    @Flag(help: .hidden) var offline = false
    @Option(help: .of("timeout")) var timeout: Double = 10
    @Flag(help: .of("allow-private-network")) var allowPrivateNetwork = false
    @Option(help: .of("ca-file"), completion: .file()) var caFile: String?
    @Option(help: .of("cache"), completion: .directory) var cache: String?
    @Flag(help: .of("no-cache")) var noCache = false
    @Option(help: .of("max-stale")) var maxStale: Double = 0
    @Flag(name: .verbose, help: .of("verbose")) var verbosity: Int

    func validate() throws { try check() }
}

/// The same for commands that fetch everything again. `--cache` and `--no-cache` do no harm, and scripts give them to all commands.
/// `--max-stale` is refused, because it would promise something that does not happen.
struct UncachedNetworkOptions: ParsableArguments, NetworkChoices {
    @Flag(help: .of("offline")) var offline = false
    @Option(help: .of("timeout")) var timeout: Double = 10
    @Flag(help: .of("allow-private-network")) var allowPrivateNetwork = false
    @Option(help: .of("ca-file"), completion: .file()) var caFile: String?
    @Option(help: .hidden, completion: .directory) var cache: String?
    @Flag(help: .hidden) var noCache = false
    @Option(help: .hidden) var maxStale: Double = 0
    @Flag(name: .verbose, help: .of("verbose")) var verbosity: Int

    func validate() throws { try checkUncached() }
}

/// The same for commands that ask all issuers of a directory. They also refuse `--offline`.
struct SweepNetworkOptions: ParsableArguments, NetworkChoices {
    @Flag(help: .hidden) var offline = false
    @Option(help: .of("timeout")) var timeout: Double = 10
    @Flag(help: .of("allow-private-network")) var allowPrivateNetwork = false
    @Option(help: .of("ca-file"), completion: .file()) var caFile: String?
    @Option(help: .hidden, completion: .directory) var cache: String?
    @Flag(help: .hidden) var noCache = false
    @Option(help: .hidden) var maxStale: Double = 0
    @Flag(name: .verbose, help: .of("verbose")) var verbosity: Int

    func validate() throws { try checkUncached() }
}

extension NetworkChoices {
    /// The trace that was asked for.
    var trace: Trace { Trace(level: Trace.Level(rawValue: min(verbosity, Trace.Level.sizes.rawValue)) ?? .none) }

    fileprivate func check() throws {
        guard (0...36_500).contains(maxStale) else {
            throw ValidationError("--max-stale must be a number of days from 0 to 36500.")
        }
        guard cache == nil || !noCache else { throw ValidationError("--cache and --no-cache cannot be combined.") }
        guard cache?.isEmpty != true else { throw ValidationError("--cache needs a directory.") }
        guard (0.001...86_400).contains(timeout) else {
            throw ValidationError("--timeout must be a number of seconds from 0.001 to 86400.")
        }
    }

    fileprivate func checkUncached() throws {
        guard maxStale == 0 else {
            throw ValidationError("--max-stale has no effect here: this command uses no cached keys or lists.")
        }
        try check()
    }
}

extension NameSpecification {
    fileprivate static var verbose: NameSpecification { [.customShort("v"), .customLong("verbose")] }
}

// MARK: - Links

/// What the options say about SMART Health Links.
protocol LinkChoices {
    var passcodeFile: String? { get }
    var recipientName: String? { get }
    var linkOrigin: [GivenValues] { get }
    var noLinks: Bool { get }
}

/// The options for SMART Health Links, for a command that does not judge anything.
struct LinkOptions: ParsableArguments, LinkChoices {
    @Option(help: .of("passcode-file"), completion: .file()) var passcodeFile: String?
    @Option(name: .customLong("recipient"), help: .of("recipient")) var recipientName: String?
    @Option(help: .of("link-origin")) var linkOrigin: [GivenValues] = []
    @Flag(help: .of("no-links")) var noLinks = false

    func validate() throws { try check() }
}

/// The options for SMART Health Links, and for what patients' apps share through them.
struct SharedLinkOptions: ParsableArguments, LinkChoices {
    @Option(help: .of("passcode-file"), completion: .file()) var passcodeFile: String?
    @Option(name: .customLong("recipient"), help: .of("recipient")) var recipientName: String?
    @Option(help: .of("link-origin")) var linkOrigin: [GivenValues] = []
    @Flag(help: .of("no-links")) var noLinks = false
    @Option(help: .of("app")) var app: [GivenValues] = []

    func validate() throws {
        try check()
        for url in app.all { _ = try Issuer(url, option: "--app") }
    }

    /// The patients' apps whose attestations are checked.
    var apps: Set<Issuer> { Set(app.all.map { Issuer(unchecked: $0) }) }
}

/// The maximum length of a recipient in characters.
private let longestRecipient = 200

private let mostOrigins = 100

extension LinkChoices {
    fileprivate func check() throws {
        if let recipientName { try Self.check(recipient: recipientName) }
        for origin in linkOrigin.all where LinkClient.origin(of: origin) == nil {
            throw ValidationError(
                "--link-origin needs an origin, such as https://shl.example.org or https://host:8443.")
        }
        guard linkOrigin.all.count <= mostOrigins else {
            throw ValidationError("--link-origin can be given \(mostOrigins) times.")
        }
    }

    /// The name of a given option that has an effect only if a link is opened; nil if there is none.
    var optionOfRequests: String? {
        if passcodeFile != nil { return "--passcode-file" }
        if recipientName != nil { return "--recipient" }
        return linkOrigin.isEmpty ? nil : "--link-origin"
    }

    /// Throws if a recipient cannot be sent.
    static func check(recipient: String) throws(ValidationError) {
        guard recipient.unicodeScalars.count <= longestRecipient,
            recipient.unicodeScalars.contains(where: { !$0.properties.isWhitespace }),
            !recipient.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else {
            throw ValidationError(
                "--recipient (or SHCVERIFY_RECIPIENT) needs 1 to \(longestRecipient) characters that are not all white space, without "
                    + "control characters.")
        }
    }

    /// Who asks for the content of links, as the command line or the environment says; nil if neither says it.
    var namedRecipient: String? {
        recipientName ?? EnvironmentVariable.value(of: "SHCVERIFY_RECIPIENT").flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The origins that may be contacted; nil for any.
    var allowedOrigins: [String]? { linkOrigin.isEmpty ? nil : linkOrigin.all.compactMap { LinkClient.origin(of: $0) } }
}
