public import Credentials
package import Cryptography
public import Encodings

/// The signers of all given lists, by key ID. Lists add up.
public struct TrustedSigners: Sendable {
    private var entries: [[UInt8]: [SignerEntry]] = [:]
    private var lists: [(retrieved: NumericDate?, count: Int)] = []
    /// The entries of lists that are dated, by the list's date. They count only while the list is recent.
    private var dated: [(retrieved: NumericDate, entries: [[UInt8]: [SignerEntry]])] = []

    /// The keys whose private half is published in one of the lists, also in those that are too old to count. They are unusable for
    /// all kinds of credential.
    package private(set) var compromisedKeys = CompromisedKeys()

    /// Creates an empty set: no certificate can be verified.
    public init() {}

    /// Whether exactly one certificate was given as a list of trusted signers, and no other list.
    private(set) var isOneCertificate = false

    /// Whether no list was given.
    package var isEmpty: Bool { lists.isEmpty }

    /// Adds the signers of a list: WHO's list (GDHCN), a list of the EU gateway, the German list, or certificates in PEM or DER.
    ///
    /// Without keys in the rules, a list is as trustworthy as the place it came from.
    ///
    /// - Parameters:
    ///   - bytes: the whole file.
    ///   - retrieved: when the list was retrieved, for `HCERTPolicy.maximumListAge`; nil if its age does not count. If the proof of the
    ///     list was verified, the time of the proof counts.
    ///   - rules: who has to have signed the list, and whether it may be one of a test network.
    /// - Throws: `Malformed` if its form is not known, or if the rules do not permit it.
    public mutating func add(
        list bytes: [UInt8], retrieved: NumericDate? = nil, rules: TrustListRules = TrustListRules()
    ) throws(Malformed) {
        var list = try SignerList(bytes)
        list.retrieved = retrieved ?? list.retrieved
        var rules = rules
        rules.compromisedKeys.formUnion(compromisedKeys)
        let admitted = Result { () throws(TrustListRefusal) in try rules.admit(list) }
        add(try admitted.mapError { Malformed($0.description) }.get())
    }

    /// All certificates of the lists.
    private var files: [SignerEntry.File] = []

    /// Whether a signer has only a key, and it is that of an authority whose certificate was given.
    func isAuthorityWithoutCertificate(_ signer: Signer) -> Bool {
        signer.certificate == nil && files.contains { $0.hasAuthority(with: signer.key) }
    }

    /// Adds the signers of a list.
    package mutating func add(_ admitted: AdmittedList) {
        let list = admitted.list
        files.append(list.file)
        isOneCertificate =
            lists.isEmpty && list.form == .certificates && list.entries.count == 1
            && list.entries[0].entry.origin == .directory
        lists.append((list.retrieved, list.entries.count))
        compromisedKeys.formUnion(list.compromised.provenAlone)
        guard let retrieved = list.retrieved else {
            for (keyID, entry) in list.entries { entries[keyID, default: []].append(entry) }
            return
        }
        var own: [[UInt8]: [SignerEntry]] = [:]
        for (keyID, var entry) in list.entries {
            entry.isDated = true
            own[keyID, default: []].append(entry)
        }
        dated.append((retrieved, own))
    }

    /// The entries with a key ID, from all lists that count.
    ///
    /// - Parameter isRecent: whether a list of this date counts.
    func entries(of keyID: [UInt8], where isRecent: (NumericDate) -> Bool) -> [SignerEntry] {
        dated.reduce(entries[keyID] ?? []) { found, list in
            guard let own = list.entries[keyID], isRecent(list.retrieved) else { return found }
            return found + own
        }
    }

    /// The date of a list that has a signer with the key ID for a kind of content, but is too old to count.
    func outdated(
        _ keyID: [UInt8], for kind: HealthContentKind, where isRecent: (NumericDate) -> Bool
    ) -> NumericDate? {
        dated.first { list in
            list.entries[keyID]?.contains { $0.scope.includes(kind) } == true && !isRecent(list.retrieved)
        }?.retrieved
    }

    /// Whether a list is too old to count.
    func hasOutdated(where isRecent: (NumericDate) -> Bool) -> Bool { dated.contains { !isRecent($0.retrieved) } }
}
