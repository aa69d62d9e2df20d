import ArgumentParser

/// What is known of issuers beforehand.
struct KeyOptions: ParsableArguments {
    @Option(
        name: .customLong("jwks"),
        help: ArgumentHelp(
            "Keys to verify with, instead of fetching the issuer's: a key set, for every issuer or for one. Repeatable.",
            valueName: "[iss=]file"))
    var jwks: [String] = []

    @Option(
        name: .customLong("crl"),
        help: ArgumentHelp(
            "A card revocation list to apply, instead of fetching the issuer's. Repeatable.", valueName: "file"))
    var crl: [String] = []
}
