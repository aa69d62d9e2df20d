import ArgumentParser
import JOSE
import SMARTHealthCards

/// Whom to trust.
struct TrustListOptions: ParsableArguments {
    @Option(
        name: .customLong("directory"),
        help: ArgumentHelp(
            "Trusted issuers: a vci-issuers.json, or a VCI snapshot with keys and revocation lists; or a folder with both, "
                + "in which the list restricts the snapshot. \"vci\" is the one that \"directory update\" installed. "
                + "Repeatable: what any of them vouches for is trusted.", valueName: "file"))
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
    ///
    /// - Parameter note: is told of each.
    func trustedIssuers(noting note: OptionFile.Note = .nothing) throws -> TrustedIssuers {
        var issuers = TrustedIssuers()
        for url in trust {
            issuers.allow(Issuer(unchecked: url))
            note("--trust", Array(url.utf8))
        }
        for name in directory {
            issuers.add(try OptionFile.directory(name, noting: note))
        }
        issuers.anchors = try OptionFile.anchors(anchor, noting: note)
        return issuers
    }
}
