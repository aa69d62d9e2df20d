import ArgumentParser
import Containers
import Credentials
import Directories
import Encodings
import Evidence
import Glibc
import HTTPSFetch
import Verification

/// The requests of a command, as its options permit them.
struct Requests {
    private let options: any NetworkChoices

    init(_ options: any NetworkChoices) { self.options = options }

    /// What issuers publish, as far as a run needs it. Only the file of `--ca-file` is read now. Everything else is read, written or
    /// fetched at the first request.
    ///
    /// - Parameter most: how much the run may ask for and keep.
    func evidence(_ most: EvidenceStore.Limits) throws -> EvidenceStore {
        let limits = try limits()
        noteUnusableCache()
        if !options.offline { ProcessSetup.requireThreads() }
        let client = IssuerClient(
            by: options.offline ? nil : transport(), limits: limits, cache: issuerCache,
            noting: options.trace.noteLookup)
        return EvidenceStore(source: client, limits: most)
    }

    /// What makes the requests.
    ///
    /// - Parameter isSecret: whether the trace may name only the servers.
    func transport(isSecret: Bool = false) -> any Transport {
        options.trace.transport(FetchProcess.installed, isSecret: isSecret)
    }

    /// The limits on requests to issuers.
    func limits() throws -> IssuerClient.Limits {
        IssuerClient.Limits(
            timeout: .seconds(options.timeout), allowsPrivateNetwork: options.allowPrivateNetwork,
            certificateAuthorities: try options.caFile.map { try OptionFile.certificateAuthorities($0) },
            maximumStaleness: .seconds(options.maxStale * 86_400))
    }

    /// The limits on requests for links, and to a provider.
    func linkLimits(_ links: (any LinkChoices)?) throws -> LinkClient.Limits {
        LinkClient.Limits(
            timeout: .seconds(options.timeout), allowsPrivateNetwork: options.allowPrivateNetwork,
            certificateAuthorities: try options.caFile.map { try OptionFile.certificateAuthorities($0) },
            allowedOrigins: links?.allowedOrigins,
            disabledReason: links?.noLinks == true
                ? "--no-links forbids it" : options.offline ? "--offline forbids it" : nil)
    }

    /// A list that was fetched.
    struct FetchedList {
        let bytes: [UInt8]
        /// Whether the server said how long the list is. If it did not, the end of the connection was the end of the list, and neither
        /// URLSession nor libcurl can tell whether somebody cut it off.
        let isLengthStated: Bool
    }

    /// Fetches a list that is to be installed. The cache is not used.
    ///
    /// - Parameters:
    ///   - url: the address of the list.
    ///   - limit: the maximum number of bytes.
    ///   - mediaTypes: the media types that are asked for.
    ///   - isOnlyFromItsHost: whether redirects to other origins are refused.
    /// - Throws: `CommandFailure` if the list cannot be fetched.
    func fetchList(
        _ url: String, limit: Int, accepting mediaTypes: String = "application/json", isOnlyFromItsHost: Bool = false
    ) async throws -> FetchedList {
        let limits = try limits()
        let unavailable = { (problem: String) in
            CommandFailure(.unavailable, "\(url) could not be fetched: \(problem)")
        }
        let response: HTTPResponse
        do throws(TransportFailure) {
            response = try await transport().sendChecked(
                HTTPRequest(
                    url: url, timeout: limits.timeout, maximumBodySize: limit,
                    allowsPrivateNetwork: limits.allowsPrivateNetwork,
                    certificateAuthorityFile: limits.certificateAuthorities?.file, accept: mediaTypes,
                    allowedOrigins: isOnlyFromItsHost ? [try HTTPSURL(url).origin] : nil))
        } catch {
            if let fault = InstallationFault(error) { throw fault }
            throw unavailable(error.message)
        }
        guard response.status == 200 else { throw unavailable("the server answered with status \(response.status)") }
        return FetchedList(
            bytes: response.body,
            isLengthStated: ["content-length", "transfer-encoding"].contains { response.headers[$0] != nil })
    }

    /// Says why the cache is not used, if it is not: then every run fetches everything. If nobody asked for the cache, only the trace says
    /// so.
    private func noteUnusableCache() {
        guard options.cache != nil || options.trace.isOn, let cache = issuerCache,
            case .unusable(let problem) = cache.condition(calling: cache.directory, probing: false)
        else { return }
        if options.cache == nil {
            options.trace.noteUnusableCache(problem)
        } else {
            StandardStreams.warn("shcverify: cache not used: \(problem)")
        }
    }

    /// The cache of the command; nil if it uses none.
    var issuerCache: IssuerCache? {
        guard !options.noCache else { return nil }
        if let cache = options.cache { return IssuerCache(directory: cache, makesAllParents: true) }
        return IssuerCache.standardDirectory.map { IssuerCache(directory: $0) }
    }

    /// Fetches a card file for `lint --card-url`. The cache is not used.
    ///
    /// - Parameter url: the address of the file.
    /// - Throws: `InstallationFault` if the installation cannot fetch.
    func cardFile(_ url: String) async throws -> PublishedAnswer {
        guard !options.offline else {
            return PublishedAnswer(url: url, result: .failure(.init(.unasked, "with --offline nothing is fetched")))
        }
        // The address of a card may identify a person, or contain a token.
        return try await IssuerProbe(transport: transport(isSecret: true), limits: limits()).cardFile(url)
    }

    /// Fetches everything that `lint --issuer` checks. The cache is not used.
    ///
    /// - Parameter issuer: the URL as it was given. A wrong URL is a finding.
    /// - Returns: the value for `Linter.add(_:)`. If the issuer cannot be asked, the value says why, which is a finding
    ///   too.
    /// - Throws: `InstallationFault` if the installation cannot fetch.
    func answers(of issuer: Issuer) async throws -> PublishedIssuer {
        guard !options.offline else {
            return PublishedIssuer(unasked: issuer, because: "with --offline nothing is fetched")
        }
        return try await IssuerProbe(transport: transport(), limits: limits()).answers(of: issuer)
    }
}

extension LinkFollower {
    /// Opens links as the options of a command say.
    ///
    /// - Parameters:
    ///   - now: the time at which links must be valid.
    ///   - keepsUnsigned: whether unsigned FHIR content is kept for a hand-over.
    init(
        _ options: any LinkChoices, network: any NetworkChoices, now: NumericDate, keepsUnsigned: Bool = false
    ) throws {
        let passcode = try LinkPasscode(options)
        let requests = Requests(network)
        let recipient = options.namedRecipient ?? "shcverify"
        let client = LinkClient(
            transport: requests.transport(isSecret: true), limits: try requests.linkLimits(options),
            recipient: recipient)
        self.init(
            client, now: now,
            passcode: { try passcode.value(for: $0) },
            prepare: {
                try LinkOptions.check(recipient: recipient)
                ProcessSetup.requireThreads()
            },
            severalPasscodes: ValidationError(
                "Two links need a passcode, and a passcode is sent to one link only: give them in two runs."),
            scanner: .installed, keepsUnsigned: keepsUnsigned)
    }
}

extension IssuerSweep {
    /// - Parameters:
    ///   - options: the time, the number of issuers at a time, and the network.
    ///   - triesTLS: whether to find out which versions of TLS the servers accept.
    ///   - listSize: the size of all revocation lists of an issuer together, in bytes.
    init(_ options: SweepOptions, triesTLS: Bool, listSize: Int) throws {
        let requests = Requests(options.network)
        self.init(
            jobs: options.jobs, limit: .seconds(options.timeLimit), limits: try requests.limits(),
            transport: requests.transport(), triesTLS: triesTLS, listSize: listSize)
    }
}

/// The passcode of a link: from a file, from the environment, or from the person at the terminal.
struct LinkPasscode {
    /// The maximum length of a passcode in bytes.
    private static let longest = 1024

    /// The passcode of `--passcode-file`; nil if the option is not given.
    private let ofFile: SecretBytes?

    /// Reads the file of `--passcode-file`.
    init(_ options: any LinkChoices) throws {
        ofFile = try options.passcodeFile.map {
            try Self.input.secret(ofFile: $0, else: Self.noPasscode(in: "the file of --passcode-file"))
        }
    }

    /// The passcode for a link; nil if there is none, or if nothing is typed.
    ///
    /// - Parameter origin: the origin of the link.
    func value(for origin: String) throws -> SecretBytes? {
        try ofFile ?? Self.input.secretOfEnvironment(else: Self.noPasscode(in: "SHCVERIFY_PASSCODE"))
            ?? Self.ask(for: origin)
    }

    private static var input: SecretInput {
        SecretInput(option: "--passcode-file", variable: "SHCVERIFY_PASSCODE", isRight: isPasscode)
    }

    private static func noPasscode(in place: String) -> ValidationError {
        ValidationError(
            "The passcode in \(place) is not valid: it must have 1 to \(longest) bytes of UTF-8, without control characters."
        )
    }

    private static func isPasscode(_ bytes: ArraySlice<UInt8>) -> Bool {
        (1...longest).contains(bytes.count) && !bytes.contains { $0 < 0x20 || $0 == 0x7F }
            && String(validating: bytes, as: UTF8.self) != nil
    }

    /// Asks at the terminal. An input that was typed there has ended, and what is typed next is the answer.
    private static func ask(for origin: String) -> SecretBytes? {
        let prompt = "Passcode for the link at \(origin): "
        guard StandardStreams.canAsk,
            var bytes = StandardStreams.readSecretLine(prompt: prompt, limit: longest), isPasscode(bytes[...])
        else { return nil }
        return SecretBytes(&bytes)
    }
}

/// A line on standard error that says how many issuers have answered. It is shown only on a terminal.
struct SweepProgressLine: SweepProgress {
    private let count: Int
    private var done = 0
    private let isShown = isatty(STDERR_FILENO) == 1

    init(count: Int) { self.count = count }

    mutating func advance() {
        done += 1
        guard isShown else { return }
        StandardStreams.warn(raw: "\r\(done) of \(count) issuers\u{1B}[K")
    }

    /// Removes the line, so that something else can be printed.
    func end() {
        if isShown { StandardStreams.warn(raw: "\r\u{1B}[K") }
    }
}
