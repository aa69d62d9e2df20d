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

    func validate() throws {
        guard timeout > 0, timeout <= 86_400 else {
            throw ValidationError("--timeout is a number of seconds above 0, at most 86400.")
        }
    }
}
