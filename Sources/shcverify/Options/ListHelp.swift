import ArgumentParser

// The options about trust lists that several commands have. They are no groups: in a debug build, each level of groups makes parsing five
// times slower.
extension ArgumentHelp {
    /// The help of `--list-key`, the keys that sign trust lists.
    static var listKey: ArgumentHelp {
        ArgumentHelp(
            "A key that signs trust lists: a DID document, whose keys count for proofs that name it, or a JWK, a JWK set or public keys in "
                + "PEM, which count for every list. With it, each file of --directory has to be WHO's list of version 2 or the German "
                + "list, signed by one of these keys. Repeatable.",
            valueName: "file")
    }

    /// The help of `--allow-test-lists`: whether lists of WHO's test networks may be used.
    static var testLists: ArgumentHelp {
        "Permit WHO's lists for tests (UAT, DEV). Nobody vouches for the signers on them."
    }
}
