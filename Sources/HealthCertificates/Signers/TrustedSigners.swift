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

    /// The key IDs of all lists, in a fixed order.
    package var keyIDs: [[UInt8]] {
        Set(entries.keys).union(dated.flatMap(\.entries.keys)).sorted { $0.lexicographicallyPrecedes($1) }
    }

    /// The date of a list that has a signer with the key ID for a kind of content, but is too old to count.
    func outdated(
        _ keyID: [UInt8], for kind: HealthContentKind, where isRecent: (NumericDate) -> Bool
    ) -> NumericDate? {
        dated.first { list in
            list.entries[keyID]?.contains { $0.scope.includes(kind) } == true && !isRecent(list.retrieved)
        }?.retrieved
    }
}

/// A network of WHO's, in which a list of signers is published. They are separate, and have separate signers: nobody vouches for those
/// of the two test networks.
package enum TrustEnvironment: String, Sendable, CaseIterable {
    case production
    /// For tests before a country takes part.
    case uat
    /// For the development of programs.
    case dev

    /// Whether keys of this network are for tests only.
    package var isForTests: Bool { self != .production }

    /// The environments that a list names: by its context, by the hosts in its ID, in those of its entries and in the DID of its proof.
    /// A reference to another list says nothing.
    ///
    /// - Returns: an empty set if nothing names one, and several if the list contradicts itself.
    package static func named(in document: JSONValue) -> Set<TrustEnvironment> {
        var found: Set<TrustEnvironment> = []
        let note = { (value: JSONValue?, find: ([UInt8]) -> TrustEnvironment?) in
            if let environment = value?.stringBytes.flatMap(find) { found.insert(environment) }
        }
        for context in all(document["@context"]) { note(context) { named(byContext: $0) } }
        note(document["id"]) { named(byDID: $0) }
        for entry in all(document["verificationMethod"]) where entry.kind == .object {
            note(entry["id"]) { named(byDID: $0) }
        }
        for proof in all(document["proof"]) { note(proof["verificationMethod"]) { named(byDID: $0) } }
        return found
    }

    private static func all(_ value: JSONValue?) -> [JSONValue] {
        value.map { value in value.elements.map { Array($0) } ?? [value] } ?? []
    }

    /// The address of WHO's vocabulary for this environment, the third context of its lists.
    package var context: String { "https://smart.who.int/trust/tng-context/v1\(suffix).jsonld" }

    /// What follows names in the addresses of WHO's vocabularies.
    package var suffix: String { self == .production ? "" : "-" + rawValue.uppercased() }

    /// The DID of the document with the keys that sign the lists of this environment.
    package var signer: String {
        "did:web:raw.githubusercontent.com:WorldHealthOrganization:tng-participants-\(shortName):main:WHO:signing:DID"
    }

    private var shortName: String { self == .production ? "prod" : rawValue }

    /// The names of hosts and repositories that end with nothing, or with the environment.
    private static func ofSuffix(_ rest: some Sequence<UInt8>) -> TrustEnvironment? {
        let rest = Array(rest)
        return rest.isEmpty ? .production : [.uat, .dev].first { rest.elementsEqual("-\($0.rawValue)".utf8) }
    }

    private static func named(byContext url: [UInt8]) -> TrustEnvironment? {
        let parts = url.map(lowercased).split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        return allCases.first { environment in
            let wanted = environment.context.utf8.map(lowercased)
                .split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            return parts.count == wanted.count
                && zip(parts, wanted).enumerated().allSatisfy { index, pair in
                    (index == 2 ? withoutDot(pair.0) : pair.0) == pair.1
                }
        }
    }

    /// A host without a dot at its end, which says that the name is whole, and changes nothing (RFC 1034 §3.1).
    private static func withoutDot(_ host: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        host.last == UInt8(ascii: ".") ? host.dropLast() : host
    }

    private static func named(byDID did: [UInt8]) -> TrustEnvironment? {
        let decoded = PercentEncoding.decodeWhatIsEncoded(did.prefix { $0 != UInt8(ascii: "#") }).map(lowercased)
        let parts = decoded.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard parts.count > 2, parts[0].elementsEqual("did".utf8), parts[1].elementsEqual("web".utf8) else {
            return nil
        }
        let host = withoutDot(parts[2])
        // A port follows the host.
        let path = parts.dropFirst(3).drop { !$0.isEmpty && $0.allSatisfy { (0x30...0x39).contains($0) } }
        if host.elementsEqual("worldhealthorganization.github.io".utf8), let name = path.first,
            name.starts(with: "tng-cdn".utf8)
        {
            return ofSuffix(name.dropFirst("tng-cdn".utf8.count))
        }
        if host.elementsEqual("raw.githubusercontent.com".utf8),
            path.first?.elementsEqual("worldhealthorganization".utf8) == true,
            let name = path.dropFirst().first
        {
            return allCases.first { name.elementsEqual("tng-participants-\($0.shortName)".utf8) }
        }
        let (begin, end) = (Array("tng-cdn".utf8), Array(".who.int".utf8))
        guard host.count >= begin.count + end.count, host.starts(with: begin), host.suffix(end.count).elementsEqual(end)
        else {
            return nil
        }
        return ofSuffix(host.dropFirst(begin.count).dropLast(end.count))
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }
}

/// What a list says that a signer signs.
package enum SignerScope: Sendable, Hashable {
    /// Content of this trust domain, in capital letters, such as `DCC` or `PH4H`.
    case domain(UTF8Text)
    /// Nothing, because the list is of a time or a place in which there were only EU certificates.
    case unstated
    /// Everything, since the user has named the certificate or the key set for that.
    case all

    /// The trust domain; nil if the list does not state one.
    package var domain: UTF8Text? {
        if case .domain(let domain) = self { domain } else { nil }
    }

    /// Whether the signer signs content of a kind.
    package func includes(_ kind: HealthContentKind) -> Bool {
        switch self {
        case .domain(let domain): kind.domains.contains(domain)
        case .unstated: kind.isOfListsWithoutDomains
        case .all: true
        }
    }

    /// What the signer signs, in words that follow "it is of"; nil if it signs everything.
    package var words: String? {
        switch self {
        case .domain(let domain): "the domain \(domain.quoted(upTo: 40))"
        case .unstated: "a list without domains, which is for EU certificates only"
        case .all: nil
        }
    }
}
