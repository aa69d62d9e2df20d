import ArgumentParser

/// The keys that sign trust lists.
struct ListKeyOptions: ParsableArguments {
    @Option(
        name: .customLong("list-key"),
        help: ArgumentHelp(
            "A key that signs trust lists: a DID document, whose keys count for proofs that name it, or a JWK, a JWK set or public keys in "
                + "PEM, which count for every list. With it, each file of --directory has to be WHO's list of version 2 or the German "
                + "list, signed by one of these keys. Repeatable.",
            valueName: "file"), completion: .file())
    var listKey: [GivenValues] = []
}

/// Whether lists of WHO's test networks may be used.
struct TestListOptions: ParsableArguments {
    @Flag(
        name: .customLong("allow-test-lists"),
        help: "Permit WHO's lists for tests (UAT, DEV). Nobody vouches for the signers on them.")
    var allowTestLists = false
}
