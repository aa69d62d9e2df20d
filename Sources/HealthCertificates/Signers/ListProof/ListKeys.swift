package import Cryptography
public import Encodings

/// Keys that sign trust lists: those of DID documents, which count only for proofs that name their DID, and others, which count for every
/// list (WHO-K2). No key is built in.
public struct ListKeys: Sendable {
    private struct Key: Sendable, Hashable {
        let key: P256PublicKey
        /// The DID of the document that has the key, without a fragment; nil if the key counts for every list.
        let signer: UTF8Text?
    }

    private var keys: [Key] = []

    /// Reads a file with keys: a DID document, a JWK, a JWK set, or public keys in PEM.
    ///
    /// - Throws: `Malformed` if it has none on P-256, or a private one.
    public init(_ bytes: [UInt8]) throws(Malformed) {
        let text = bytes[...].trimmingByteOrderMarks()
        if PEM.hasBlock(bytes) {
            try readPEM(bytes)
        } else {
            let document = Result { () throws(JSONError) in try JSONDocument.parse(Array(text)) }
            try read(document.mapError { Malformed("it is neither JSON nor public keys in PEM: \($0)") }.get())
        }
        guard !keys.isEmpty else {
            throw Malformed("it has no key on P-256 that could sign a trust list")
        }
    }

    /// The keys in a DID document that are those of a DID.
    ///
    /// - Throws: `Malformed` if there are none, or if one is private.
    package init(didDocument bytes: [UInt8], of signer: UTF8Text) throws(Malformed) {
        let all = try ListKeys(bytes)
        let did = Self.withoutFragment(signer)
        keys = all.keys.filter { $0.signer == did }
        guard !keys.isEmpty else {
            throw Malformed("it has no key of \(did.quoted(upTo: 200))")
        }
    }

    /// The keys of several files.
    ///
    /// - Returns: nil if there are no files.
    public init?(merging files: [ListKeys]) {
        guard !files.isEmpty else { return nil }
        keys = files.flatMap(\.keys)
    }

    /// The keys whose private half is not published. With the others, anybody could sign a list.
    ///
    /// - Returns: nil if none is left.
    package func refusing(_ compromised: CompromisedKeys) -> ListKeys? {
        var usable = self
        usable.keys.removeAll { compromised.contains(.es256($0.key)) }
        return usable.keys.isEmpty ? nil : usable
    }

    /// Why a list is not taken if no key is left, in words that are a sentence of their own.
    package static let allCompromised =
        "the private half of each key that could have signed it is published in a given file, so anybody could have made it"

    /// The RFC 7638 thumbprints of the keys.
    package var thumbprints: [String] { keys.map { $0.key.thumbprint.description } }

    /// The keys that count for a proof, each once.
    ///
    /// - Parameter signer: the DID that the proof names; nil if it names none, as the German list does.
    func candidates(for signer: UTF8Text?) -> [P256PublicKey] {
        let did = signer.map(Self.withoutFragment)
        var seen: Set<P256PublicKey> = []
        return keys.filter { $0.signer == nil || $0.signer == did }.map(\.key).filter { seen.insert($0).inserted }
    }

    /// A DID document with the keys that count for proofs of a DID. They count only for these when it is read again.
    package func didDocument(of signer: UTF8Text) -> [UInt8] {
        let did = Self.withoutFragment(signer)
        var writer = JSONWriter(layout: .indented)
        writer.object { writer in
            writer.member("id", did)
            writer.array("verificationMethod") { writer in
                for key in candidates(for: signer) {
                    writer.object { writer in
                        writer.member("id", did)
                        writer.member("type", "JsonWebKey2020")
                        writer.member("controller", did)
                        writer.object("publicKeyJwk") { writer in
                            writer.member("kty", "EC")
                            writer.member("crv", "P-256")
                            writer.member("x", Base64URL.encode(key.x))
                            writer.member("y", Base64URL.encode(key.y))
                        }
                    }
                }
            }
        }
        return writer.bytes + [0x0A]
    }

    private static func withoutFragment(_ did: UTF8Text) -> UTF8Text {
        UTF8Text(decoding: Array(did.utf8.prefix { $0 != UInt8(ascii: "#") }))
    }

    // MARK: Forms

    private mutating func read(_ document: JSONValue) throws(Malformed) {
        guard !Self.hasPrivateKey(document) else {
            throw Malformed("it has a private key, which only its owner may have")
        }
        if document["verificationMethod"] != nil {
            for method in document["verificationMethod"]?.elements.map({ Array($0) }) ?? [] {
                guard let id = method["id"]?.string, let jwk = method["publicKeyJwk"] else { continue }
                add(jwk, of: Self.withoutFragment(id))
            }
        } else if let set = document["keys"]?.elements {
            for key in set { add(key, of: nil) }
        } else {
            add(document, of: nil)
        }
    }

    private mutating func add(_ jwk: JSONValue, of signer: UTF8Text?) {
        // Keys of other kinds may stand beside those that are needed.
        if let key = try? JWK(jwk).publicKey() { keys.append(Key(key: key, signer: signer)) }
    }

    /// Whether an object in a document has the private part of a key.
    private static func hasPrivateKey(_ value: JSONValue) -> Bool {
        if let elements = value.elements { return elements.contains(where: hasPrivateKey) }
        guard let members = value.members else { return false }
        if value["kty"] != nil, JWK.hasPrivatePart(value) { return true }
        return value["privateKeyJwk"] != nil || members.contains { hasPrivateKey($0.value) }
    }

    private mutating func readPEM(_ bytes: [UInt8]) throws(Malformed) {
        for key in try P256PublicKey.publicKeys(inPEM: bytes) { keys.append(Key(key: key, signer: nil)) }
    }
}
