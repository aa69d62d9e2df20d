extension Rule {
    /// The rules of directories of issuers.
    static let directoryRules: [Rule] = [
        directoryForm, directoryEntries, directoryIssuers, directoryAliases, directoryNames, snapshotForm,
        directoryKeys, snapshotLists, snapshotSignature,
    ]
}
