import ArgumentParser
import Credentials
import Directories
import HTTPSFetch
import IssuerNetwork

/// Whether no requests are made.
protocol OfflineChoice: ParsableArguments, Sendable {
    var offline: Bool { get }
}

/// The option of commands that can do their work without a network.
struct OfflineOption: OfflineChoice {
    @Flag(name: .customLong("offline"), help: "Make no network requests.")
    var offline = false
}

/// The option of commands that must make requests. They refuse it, so their help does not list it.
struct RefusedOfflineOption: OfflineChoice {
    @Flag(name: .customLong("offline"), help: .hidden)
    var offline = false
}

/// Where fetched keys and lists are kept, and for how long.
protocol CacheChoice: ParsableArguments, Sendable {
    var cache: String? { get }
    var noCache: Bool { get }
    /// How many days past their freshness copies are used.
    var maxStale: Double { get }
}

extension CacheChoice {
    fileprivate func checkCombination() throws(ValidationError) {
        guard cache == nil || !noCache else {
            throw ValidationError("--cache and --no-cache cannot be combined.")
        }
        guard cache?.isEmpty != true else { throw ValidationError("--cache needs a directory.") }
    }
}

/// The options of commands that use the cache.
struct CacheOptions: CacheChoice {
    @Option(
        name: .customLong("cache"),
        help: ArgumentHelp(
            "Keep fetched keys and lists in this directory, which is created if it does not exist. By default, it is "
                + "shcverify in the XDG cache directory.",
            valueName: "dir"), completion: .directory)
    var cache: String?

    @Flag(name: .customLong("no-cache"), help: "Do not use the cache: fetch everything, and keep nothing.")
    var noCache = false

    @Option(
        name: .customLong("max-stale"),
        help: ArgumentHelp(
            "While the issuer cannot be reached, use cached keys and revocation lists up to this long past their freshness.",
            valueName: "days"))
    var maxStale: Double = 0

    func validate() throws {
        guard (0...36_500).contains(maxStale) else {
            throw ValidationError("--max-stale must be a number of days from 0 to 36500.")
        }
        try checkCombination()
    }
}

/// The options of commands that fetch everything again. `--cache` and `--no-cache` do no harm, and scripts give them to all commands;
/// `--max-stale` promises what does not happen, so it is refused. The help lists none of them.
struct UnusedCacheOptions: CacheChoice {
    @Option(name: .customLong("cache"), help: .hidden)
    var cache: String?

    @Flag(name: .customLong("no-cache"), help: .hidden)
    var noCache = false

    @Option(name: .customLong("max-stale"), help: .hidden)
    var maxStale: Double = 0

    func validate() throws {
        guard maxStale == 0 else {
            throw ValidationError("--max-stale has no effect here: this command uses no cached keys or lists.")
        }
        try checkCombination()
    }
}

/// The options for requests to issuers.
typealias NetworkOptions = NetworkOptionsOf<OfflineOption, CacheOptions>

/// The options for requests to issuers, with or without a useful `--offline` and a use for the cache.
struct NetworkOptionsOf<Offline: OfflineChoice, Cache: CacheChoice>: ParsableArguments {
    @OptionGroup var choice: Offline

    @Option(
        name: .customLong("timeout"),
        help: ArgumentHelp(
            "For everything that is fetched from one issuer, or for one link with its files.", valueName: "seconds"))
    var timeout: Double = 10

    @Flag(
        name: .customLong("allow-private-network"),
        help: "Allow issuers and links at loopback, link-local and private addresses.")
    var allowPrivateNetwork = false

    @Option(
        name: .customLong("ca-file"),
        help: ArgumentHelp("Extra TLS root certificates, in addition to the system's.", valueName: "pem"),
        completion: .file())
    var caFile: String?

    @OptionGroup var storage: Cache
    @OptionGroup var tracing: TraceOptions

    /// Whether no requests are made.
    var offline: Bool { choice.offline }

    /// The trace that was asked for.
    var trace: Trace { tracing.trace }

    /// Notes the options that verdicts depend on. The file of `--ca-file` is noted where it is read.
    func note(to note: OptionFile.Note) {
        if offline { note("--offline", []) }
        if allowPrivateNetwork { note("--allow-private-network", []) }
        if storage.maxStale > 0 { note("--max-stale", Array("\(storage.maxStale)".utf8)) }
    }

    func validate() throws {
        guard (0.001...86_400).contains(timeout) else {
            throw ValidationError("--timeout must be a number of seconds from 0.001 to 86400.")
        }
    }

    // MARK: Use

    /// The source of the evidence that verifiers ask for. Only the file of `--ca-file` is read now. Everything else is
    /// read, written or fetched at the first request.
    func evidenceSource() throws -> any EvidenceSource {
        let limits = try limits()
        noteUnusableCache()
        if offline {
            return IssuerClient(.offline, limits: limits, cache: issuerCache, noting: trace.noteLookup)
        }
        ProcessSetup.requireThreads()
        return IssuerClient(
            transport: transport(), limits: limits, cache: issuerCache, noting: trace.noteLookup)
    }

    /// What makes the requests.
    ///
    /// - Parameter isSecret: whether the trace may name only the servers.
    func transport(isSecret: Bool = false) -> any Transport {
        trace.transport(FetchProcess.installed, isSecret: isSecret)
    }

    /// The limits on requests to issuers.
    func limits() throws -> IssuerClient.Limits {
        IssuerClient.Limits(
            timeout: .seconds(timeout), allowsPrivateNetwork: allowPrivateNetwork,
            certificateAuthorities: try caFile.map { try OptionFile.certificateAuthorities($0) },
            maximumStaleness: .seconds(storage.maxStale * 86_400))
    }

    /// The limits on requests for links.
    func linkLimits(_ links: LinkOptions) throws -> LinkClient.Limits {
        LinkClient.Limits(
            timeout: .seconds(timeout), allowsPrivateNetwork: allowPrivateNetwork,
            certificateAuthorities: try caFile.map { try OptionFile.certificateAuthorities($0) },
            allowedOrigins: links.allowedOrigins,
            disabledReason: links.noLinks ? "--no-links forbids it" : offline ? "--offline forbids it" : nil)
    }

    /// A list that was fetched.
    struct FetchedList {
        let bytes: [UInt8]
        /// Whether the server said how long the list is. If it did not, the end of the connection ended it, and neither URLSession nor
        /// libcurl tells whether somebody cut it off.
        let isLengthStated: Bool
    }

    /// Fetches a list that is to be installed. The cache is not used.
    ///
    /// - Parameters:
    ///   - url: the address of the list.
    ///   - limit: the number of bytes that it may have.
    ///   - mediaTypes: the media types that are asked for.
    ///   - isOnlyFromItsHost: whether redirects to other origins are refused.
    /// - Throws: the end of the command, after a message, if the list cannot be had.
    func fetchList(
        _ url: String, limit: Int, accepting mediaTypes: String = "application/json", isOnlyFromItsHost: Bool = false
    ) async throws -> FetchedList {
        let limits = try limits()
        let unavailable = { (problem: String) in
            StandardStreams.warn("shcverify: \(url) could not be fetched: \(problem)")
            return CommandExit.unavailable
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
        guard response.status == 200 else {
            throw unavailable("the server answered with status \(response.status)")
        }
        return FetchedList(
            bytes: response.body,
            isLengthStated: ["content-length", "transfer-encoding"].contains { response.headers[$0] != nil })
    }

    /// Says why the cache is not used, if it is not: then everything is fetched in each run. Of a cache that nobody asked for,
    /// only the trace says it.
    private func noteUnusableCache() {
        guard storage.cache != nil || trace.isOn, let cache = issuerCache,
            case .unusable(let problem) = cache.condition(calling: cache.directory, probing: false)
        else { return }
        if storage.cache == nil {
            trace.noteUnusableCache(problem)
        } else {
            StandardStreams.warn("shcverify: cache not used: \(problem)")
        }
    }

    private var issuerCache: IssuerCache? {
        guard !storage.noCache else { return nil }
        if let cache = storage.cache { return IssuerCache(directory: cache, makesAllParents: true) }
        return IssuerCache.standardDirectory.map { IssuerCache(directory: $0) }
    }

    /// Fetches a card file for `lint --card-url`. The cache is not used.
    ///
    /// - Parameter url: the address of the file.
    /// - Throws: `InstallationFault` if the installation cannot fetch.
    func cardFile(_ url: String) async throws -> PublishedAnswer {
        guard !offline else {
            return PublishedAnswer(url: url, result: .failure(.init(.unasked, "with --offline nothing is fetched")))
        }
        // The address of a card may name a person, and have a token.
        return try await IssuerProbe(transport: transport(isSecret: true), limits: limits()).cardFile(url)
    }

    /// Fetches everything that `lint --issuer` checks. The cache is not used.
    ///
    /// - Parameter issuer: the URL as it was given. If the URL is wrong, that is a finding.
    /// - Returns: the value for `Linter.add(_:)`. If the issuer cannot be asked, the value says why, which is a finding
    ///   too.
    /// - Throws: `InstallationFault` if the installation cannot fetch.
    func answers(of issuer: Issuer) async throws -> PublishedIssuer {
        guard !offline else {
            return PublishedIssuer(unasked: issuer, because: "with --offline nothing is fetched")
        }
        return try await IssuerProbe(transport: transport(), limits: limits()).answers(of: issuer)
    }
}
