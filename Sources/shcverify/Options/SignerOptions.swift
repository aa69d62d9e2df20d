import ArgumentParser

/// The signer of a directory's snapshot.
struct SignerOptions: ParsableArguments {
    @Option(
        name: .customLong("certificate"),
        help: ArgumentHelp(
            "The certificate of the snapshot's signer. By default, it is VCI's, which is built in. For a German trust list: its "
                + "signing key.", valueName: "pem"), completion: .file())
    var certificate: String?

    /// The maximum size of a signature file in bytes. A P-521 signature has about 139.
    static let signatureLimit = 4096
}
