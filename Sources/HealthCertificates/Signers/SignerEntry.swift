import Credentials
package import Cryptography
package import Encodings
import Synchronization

/// An entry of a trust list, before its key is read. A list has hundreds of entries, and most are never used.
package struct SignerEntry: Sendable {
    /// What the entry has.
    enum Content: Sendable {
        /// A certificate in base64 of DER.
        case base64([UInt8])
        /// A certificate in DER.
        case der([UInt8])
        /// A JSON Web Key, with certificates or without.
        case jwk(JSONValue)

        /// The certificate, or the first of those beside a key, in DER; nil if there is none or if it is not base64.
        var leaf: [UInt8]? {
            switch self {
            case .base64(let text): return try? Base64.decode(text)
            case .der(let der): return der
            case .jwk: return chain.first ?? nil
            }
        }

        /// The most certificates of one entry that are looked at.
        private static let maximumChain = 8

        /// All certificates, in DER, the leaf first; nil for one that is not base64.
        var chain: [[UInt8]?] {
            guard case .jwk(let jwk) = self else { return [leaf] }
            let texts = jwk["x5c"]?.elements.map { $0.prefix(Self.maximumChain).map(\.stringBytes) }
            return (texts ?? [jwk["x5c"]?.stringBytes]).map { text in text.flatMap { try? Base64.decode($0) } }
        }
    }

    let content: Content
    /// The country that the list states.
    package let listedCountry: String?
    /// Where the entry comes from.
    let origin: KeyOrigin
    /// Whether the certificate has to be signed by one of the anchors, if there are any.
    let needsAnchor: Bool
    /// What the list says that the key signs.
    package let scope: SignerScope
    /// The participant of the network to which the list attributes the key; nil if it does not say.
    package let participant: UTF8Text?
    /// The environment of the list; nil if it is not known.
    package internal(set) var environment: TrustEnvironment?
    /// Whether the list says when it was made.
    var isDated = false
    /// The keys whose private half is published in the list.
    var burntInList = CompromisedKeys()
    /// The file with certificates of which this is one; nil if nothing in the file speaks against a signer.
    var file: File?

    /// Certificates from one file.
    final class File: Sendable {
        private let contents: [Content]
        private let state = Mutex(State())

        private struct State {
            /// What the certificates of the file have signed; nil until it is needed, which most files never do.
            var index: AuthorityIndex?
            /// Whether a certificate is that of an authority, by its DER.
            var known: [[UInt8]: Bool] = [:]
            /// The keys of the authorities among the certificates; nil until they are needed.
            var keys: Set<KeyNumber>?
        }

        init(contents: [Content]) { self.contents = contents }

        /// Whether a certificate of the file is that of an authority. Each is judged once.
        func isOfAuthority(_ der: [UInt8]) -> Bool { state.withLock { isOfAuthority(der, &$0) } }

        /// Whether a key is that of a certificate in the file that can only be an authority's.
        func hasAuthority(with key: Signer.Key) -> Bool {
            guard case .success(let key) = key else { return false }
            return state.withLock { state in
                if let keys = state.keys { return keys.contains(key.number) }
                var keys: Set<KeyNumber> = []
                // The certificate of an authority may follow that of a signer.
                for der in contents.flatMap({ $0.chain.compactMap(\.self) }) where isOfAuthority(der, &state) {
                    guard let certificate = try? Certificate(listed: der) else { continue }
                    if case .success(let key) = certificate.publicKey { keys.insert(key.number) }
                }
                state.keys = keys
                return keys.contains(key.number)
            }
        }

        private func isOfAuthority(_ der: [UInt8], _ state: inout State) -> Bool {
            if let known = state.known[der] { return known }
            let isOfAuthority = judge(der, &state.index)
            state.known[der] = isOfAuthority
            return isOfAuthority
        }

        private func judge(_ der: [UInt8], _ index: inout AuthorityIndex?) -> Bool {
            guard let certificate = try? Certificate(listed: der), certificate.isAuthority else { return false }
            guard !certificate.isOnlyOfAuthority else { return true }
            var made =
                index
                ?? AuthorityIndex(
                    contents.flatMap { $0.chain.compactMap { $0.flatMap { try? Certificate(listed: $0) } } })
            defer { index = made }
            return made.hasIssued(certificate)
        }
    }

    /// Whether the entry is for the certificate of an authority (CSCA). It verifies nothing.
    package var isOfAuthority: Bool {
        guard let file, let der = content.leaf else { return false }
        return file.isOfAuthority(der)
    }

    /// Whether the entry is for a self-signed certificate, such as that of a country's root.
    private var isSelfSigned: Bool {
        guard let der = content.leaf, let certificate = try? Certificate(listed: der) else { return false }
        return certificate.isSigned(by: certificate)
    }

    /// Reads the key of the entry.
    ///
    /// - Parameters:
    ///   - keyID: the key ID under which the list has the entry.
    ///   - compromised: the keys whose private half is published in another list.
    ///   - isOnlyOne: whether this is the only certificate that was given at all. Some countries have signed with their root. A user
    ///     who gives a self-signed certificate alone says that it is a signer's, even if it is that of an authority.
    /// - Returns: nil if the entry cannot be read at all, or is for an authority. Such an entry is skipped.
    package func signer(keyID: [UInt8], refusing compromised: [CompromisedKeys], isOnlyOne: Bool = false) -> Signer? {
        guard !isOfAuthority || isOnlyOne && isSelfSigned, let (certificate, key, usages) = parts else { return nil }
        let isCompromised = { (key: VerificationKey) in (compromised + [burntInList]).contains { $0.contains(key) } }
        let known = if case .success(let key) = key { isCompromised(key) } else { false }
        let burnt = Malformed("known to everyone, since a given file has its private key")
        return Signer(
            key: known ? .failure(burnt) : key, certificate: certificate, listedUsages: usages,
            isLabelledByHash: certificate.map { $0.identifier == keyID } ?? true, entry: self)
    }

    /// What the entry has of a signer: a certificate or nil, its key, and the groups of records that the entry allows, or nil if it does
    /// not say.
    fileprivate typealias Parts = (certificate: Certificate?, key: Signer.Key, usages: Set<RecordGroup>?)

    /// What the entry has; nil if it cannot be read.
    private var parts: Parts? {
        if case .jwk(let jwk) = content { return JWKSigner(jwk: jwk, leaf: content.leaf).parts }
        guard let der = content.leaf, let certificate = try? Certificate(listed: der) else { return nil }
        return (certificate, certificate.publicKey, nil)
    }
}

/// Reads the key of an entry that is a JSON Web Key (RFC 7517), as WHO's lists and other key sets have it.
private struct JWKSigner {
    let jwk: JSONValue
    /// The certificate beside the key, in DER; nil if there is none or if it is not base64.
    let leaf: [UInt8]?

    var parts: SignerEntry.Parts? {
        // Null is no certificate that was left out.
        guard jwk["x5c"]?.isNull != true else { return nil }
        guard jwk["x5c"] != nil else { return (nil, key(), usages) }
        guard let leaf, let certificate = try? Certificate(listed: leaf) else { return nil }
        return (certificate, agreed(key(), with: certificate.publicKey), usages)
    }

    /// The key of the entry, if its certificate is for the same key.
    private func agreed(_ key: Signer.Key, with certified: Signer.Key) -> Signer.Key {
        switch (key, certified) {
        case (.failure, _): key
        case (_, .failure(let error)): unusable("in the certificate, " + error.description)
        case (.success(let one), .success(let other)):
            one == other ? key : unusable("not the key of the certificate beside it (x5c)")
        }
    }

    /// The groups that the entry allows; nil if it does not say.
    private var usages: Set<RecordGroup>? {
        if let listed = jwk.optional("keyUsage") {
            let names = listed.elements?.compactMap { $0.string } ?? [listed.string].compactMap(\.self)
            return Set(names.flatMap { Self.groups($0) })
        }
        guard let stated = jwk.optional("use") else { return nil }
        guard let use = stated.string else { return [] }
        guard use != "sig" else { return nil }
        return Set(Self.groups(use))
    }

    /// The groups that letters stand for: `tvr` for all. A word with any other letter, such as `verify`, stands for none.
    private static func groups(_ letters: UTF8Text) -> [RecordGroup] {
        let groups = letters.utf8.map { RecordGroup(rawValue: String(UnicodeScalar($0))) }
        return groups.contains(nil) ? [] : groups.compactMap(\.self)
    }

    private func unusable(_ words: String) -> Signer.Key { .failure(Malformed(words)) }

    /// The key of the members, without a look at the certificates.
    private func key() -> Signer.Key {
        if JWK(jwk).hasPrivatePart { return unusable("known to everyone, since the list has its private key") }
        if let operations = jwk.optional("key_ops"),
            operations.elements?.contains(where: { $0.isString("verify") }) != true
        {
            return unusable("not for verifying signatures, according to its key_ops")
        }
        let algorithms = SignatureAlgorithm.supported
        guard let kind = algorithms.first(where: { jwk["kty"]?.isString($0.keyType) == true }) else {
            return unusable("neither \(algorithms.map { "an \($0.keyType)" }.joined(separator: " nor ")) key")
        }
        let ofKind = algorithms.filter { $0.keyType == kind.keyType }
        guard let algorithm = ofKind.first(where: { $0.curve.map { jwk["crv"]?.isString($0) == true } ?? true }) else {
            let curves = ofKind.compactMap(\.curve).joined(separator: " and ")
            return unusable("\(kind.keyWords) on another curve than \(curves)")
        }
        if let stated = jwk.optional("alg"), !algorithm.isNamed({ stated.isString($0) }) {
            return unusable("for another algorithm than \(algorithm.name), according to its alg")
        }
        return algorithm.key(number)
    }

    /// A number of the key in base64url, as some lists write it, with padding or in plain base64.
    private func number(_ name: String) -> [UInt8]? {
        jwk[name]?.stringBytes.flatMap { SignerList.bytes(ofBase64: $0) }
    }
}
