extension Rule {
    /// The rules of revocation lists.
    static let revocationRules: [Rule] = [
        listMembers, listMethod, listCounter, listEntries, listIdentifiers, listTimestamps, listRepeats,
    ]
}
