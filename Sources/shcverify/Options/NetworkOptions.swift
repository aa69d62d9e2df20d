import ArgumentParser

/// Whether a command can do its work without a network.
protocol OfflineChoice: Sendable {
    static var help: ArgumentHelp { get }
}

/// The command can.
enum OfflineOption: OfflineChoice {
    static var help: ArgumentHelp { "Make no network requests." }
}

/// The command must make requests. It refuses the option, so its help does not list it.
enum RefusedOfflineOption: OfflineChoice {
    static var help: ArgumentHelp { .hidden }
}

/// Whether a command uses fetched keys and lists that were kept.
protocol CacheChoice: Sendable {
    static var isUsed: Bool { get }
}

/// The command uses the cache.
enum CacheOptions: CacheChoice {
    static var isUsed: Bool { true }
}

/// The command fetches everything again. `--cache` and `--no-cache` do no harm, and scripts give them to all commands; `--max-stale` promises
/// what does not happen, so it is refused. The help lists none of them.
enum UnusedCacheOptions: CacheChoice {
    static var isUsed: Bool { false }
}

/// The options for requests to issuers.
typealias NetworkOptions = NetworkOptionsOf<OfflineOption, CacheOptions>

/// The options for requests to issuers, with or without a useful `--offline` and a use for the cache. They are one group, since in a debug build
/// each level of groups makes parsing five times slower.
struct NetworkOptionsOf<Offline: OfflineChoice, Cache: CacheChoice>: ParsableArguments {
    @Flag(name: .customLong("offline"), help: Offline.help)
    var offline = false

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

    /// Where fetched keys and lists are kept.
    @Option(
        name: .customLong("cache"),
        help: Cache.isUsed
            ? ArgumentHelp(
                "Keep fetched keys and lists in this directory. It is created with its parent folders if it does not exist. "
                    + "If it is a symbolic link, the link is followed. By default, it is shcverify in the XDG cache directory.",
                valueName: "dir") : .hidden, completion: .directory)
    var cache: String?

    @Flag(
        name: .customLong("no-cache"),
        help: Cache.isUsed ? "Do not use the cache: fetch everything, and keep nothing." : .hidden)
    var noCache = false

    /// How many days past their freshness copies are used.
    @Option(
        name: .customLong("max-stale"),
        help: Cache.isUsed
            ? ArgumentHelp(
                "While the issuer cannot be reached, use cached keys and revocation lists up to this long past their freshness.",
                valueName: "days") : .hidden)
    var maxStale: Double = 0

    @Flag(
        name: [.customShort("v"), .customLong("verbose")],
        help: ArgumentHelp(
            "Say on standard error what is done: requests, cache, why a key and an issuer are taken, times. Nothing of a card is named but its "
                + "issuer and key. -vv adds sizes."))
    var verbosity: Int

    /// The trace that was asked for.
    var trace: Trace { Trace(level: Trace.Level(rawValue: min(verbosity, Trace.Level.sizes.rawValue)) ?? .none) }

    func validate() throws {
        guard Cache.isUsed || maxStale == 0 else {
            throw ValidationError("--max-stale has no effect here: this command uses no cached keys or lists.")
        }
        guard (0...36_500).contains(maxStale) else {
            throw ValidationError("--max-stale must be a number of days from 0 to 36500.")
        }
        guard cache == nil || !noCache else {
            throw ValidationError("--cache and --no-cache cannot be combined.")
        }
        guard cache?.isEmpty != true else { throw ValidationError("--cache needs a directory.") }
        guard (0.001...86_400).contains(timeout) else {
            throw ValidationError("--timeout must be a number of seconds from 0.001 to 86400.")
        }
    }
}
