import ArgumentParser

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
            "Keep fetched keys and lists in this directory. It is created with its parent folders if it does not exist. "
                + "If it is a symbolic link, the link is followed. By default, it is shcverify in the XDG cache directory.",
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

    func validate() throws {
        guard (0.001...86_400).contains(timeout) else {
            throw ValidationError("--timeout must be a number of seconds from 0.001 to 86400.")
        }
    }
}
