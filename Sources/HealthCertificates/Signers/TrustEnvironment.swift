package import Encodings

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

    /// What stands behind names in the addresses of WHO's vocabularies.
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
        // A port stands behind the host.
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
