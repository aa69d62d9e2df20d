import ArgumentParser
import IssuerNetwork

/// How issuers are asked.
struct NetworkOptions: ParsableArguments {
    @Flag(name: .customLong("offline"), help: "Never touch the network.")
    var offline = false

    @Option(
        name: .customLong("timeout"),
        help: ArgumentHelp(
            "For the whole of one issuer's fetch, keys and list together.", valueName: "seconds"))
    var timeout: Double = 10

    @Flag(
        name: .customLong("allow-private-network"),
        help: "Allow issuers at loopback, link-local and private addresses.")
    var allowPrivateNetwork = false

    @Option(
        name: .customLong("ca-file"),
        help: ArgumentHelp("TLS root certificates to accept beside the system's.", valueName: "pem"))
    var caFile: String?

    @Option(
        name: .customLong("cache"),
        help: ArgumentHelp(
            "Keep fetched keys and lists in this directory, which is made if need be, instead of shcverify in the XDG cache "
                + "directory.",
            valueName: "dir"))
    var cache: String?

    @Flag(name: .customLong("no-cache"), help: "Keep nothing that is fetched, and use nothing that was kept.")
    var noCache = false

    @Option(
        name: .customLong("max-stale"),
        help: ArgumentHelp(
            "Use cached keys and revocation lists up to this long past their freshness while the issuer cannot be reached.",
            valueName: "days"))
    var maxStale: Double = 0

    /// Notes those options that a verdict depends on. The file of --ca-file is noted where it is read.
    func note(to note: OptionFile.Note) {
        if offline { note("--offline", []) }
        if allowPrivateNetwork { note("--allow-private-network", []) }
        if maxStale > 0 { note("--max-stale", Array("\(maxStale)".utf8)) }
    }

    func validate() throws {
        guard (0.001...86_400).contains(timeout) else {
            throw ValidationError("--timeout is a number of seconds, from 0.001 to 86400.")
        }
        guard (0...36_500).contains(maxStale) else {
            throw ValidationError("--max-stale is a number of days, from 0 to 36500.")
        }
        guard cache == nil || !noCache else {
            throw ValidationError("--cache and --no-cache contradict each other.")
        }
        guard cache?.isEmpty != true else { throw ValidationError("--cache wants a directory.") }
    }
}
