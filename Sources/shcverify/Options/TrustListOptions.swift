import ArgumentParser
import SMARTHealthCards

/// Whom to trust.
struct TrustListOptions: ParsableArguments {
    @Option(
        name: .customLong("directory"),
        help: ArgumentHelp(
            "Trusted issuers: a vci-issuers.json, or a VCI snapshot with keys and revocation lists; \"vci\" is the one "
                + "that \"directory update\" installed. Repeatable.", valueName: "file"))
    var directory: [String] = []

    @Option(
        name: .customLong("trust"),
        help: ArgumentHelp(
            "Trust this issuer (an https URL); issuers that are not named are refused. Repeatable.", valueName: "iss"))
    var trust: [String] = []

    @Option(
        name: .customLong("anchor"),
        help: ArgumentHelp(
            "Trust issuers by certificate: a key's x5c must chain to one of these and name the issuer. Repeatable.",
            valueName: "pem"))
    var anchor: [String] = []

    func validate() throws {
        for url in trust { _ = try Issuer(url, option: "--trust") }
    }

    /// Whether nobody is named.
    var isEmpty: Bool { directory.isEmpty && trust.isEmpty && anchor.isEmpty }

    /// The lists that were given.
    func trustedIssuers() throws -> TrustedIssuers {
        var issuers = TrustedIssuers()
        for url in trust { issuers.allow(Issuer(unchecked: url)) }
        for name in directory {
            for file in try OptionFile.directories(name) { issuers.add(file) }
        }
        issuers.anchors = try OptionFile.anchors(anchor)
        return issuers
    }
}
