import Credentials
package import Cryptography
public import Encodings
package import Inputs

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
        // Keys of other kinds may be there in addition to those that are needed.
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

/// Where the keys of a signer of lists are published: the address of the DID document of a `did:web` (WHO-K4).
///
/// A list chooses the DID, so only WHO's three may be fetched, and for tests those on machines of the private network (WHO-K5).
package struct DIDAddress: Sendable, Equatable {
    /// The address.
    package let url: String
    /// Whether the host is one of the private network.
    package let isPrivate: Bool

    /// - Parameters:
    ///   - signer: the DID that a proof names, with a fragment or without.
    ///   - isPrivateHost: whether a host is loopback or has a private address, as far as its name says so.
    /// - Returns: nil if it may never be fetched.
    package init?(_ signer: UTF8Text, isPrivateHost: (String) -> Bool) {
        let did = Array(signer.utf8.prefix { $0 != UInt8(ascii: "#") })
        guard ListText.isDID(did) else { return nil }
        var parts = did.split(separator: UInt8(ascii: ":")).map { String(decoding: $0, as: UTF8.self) }
        guard parts.count > 2, did.count(where: { $0 == UInt8(ascii: ":") }) == parts.count - 1,
            parts[0].utf8.elementsEqual("did".utf8), parts[1].utf8.elementsEqual("web".utf8)
        else { return nil }
        parts.removeFirst(2)
        let place = parts.removeFirst()
        // Only the colon before a port is escaped.
        let pieces = Array(place.utf8).split(separator: UInt8(ascii: "%"), omittingEmptySubsequences: false)
        let host = String(decoding: pieces[0], as: UTF8.self)
        var port = ""
        if pieces.count == 2 {
            let escape = pieces[1].prefix(2)
            let digits = pieces[1].dropFirst(2)
            guard escape.elementsEqual("3A".utf8) || escape.elementsEqual("3a".utf8), (1...5).contains(digits.count),
                digits.allSatisfy({ (0x30...0x39).contains($0) })
            else { return nil }
            port = ":" + String(decoding: digits, as: UTF8.self)
        } else if pieces.count > 2 {
            return nil
        }
        guard
            !parts.contains(where: {
                $0.utf8.contains(UInt8(ascii: "%")) || $0.utf8.elementsEqual("..".utf8)
                    || $0.utf8.elementsEqual(".".utf8)
            })
        else { return nil }
        let isWHOs = TrustEnvironment.allCases.contains { did.elementsEqual($0.signer.utf8) }
        isPrivate = !isWHOs && isPrivateHost(host)
        guard isWHOs || isPrivate else { return nil }
        let path = parts.isEmpty ? ".well-known" : parts.joined(separator: "/")
        url = "https://\(host)\(port)/\(path)/did.json"
    }
}

/// What the ID of an entry in WHO's list says about it: `did:web:HOST:v2:trustlist:DOMAIN:PARTICIPANT:USAGE#KID`. Version 1 has
/// neither domain nor usage: `did:web:HOST:trustlist:PARTICIPANT#KID`. IDs of lists are the beginnings of these.
struct DIDPath {
    /// The trust domain in capital letters; nil if the ID does not state one.
    private(set) var domain: UTF8Text?
    /// The participant in capital letters; nil if the ID does not state one.
    private(set) var participant: UTF8Text?
    /// The usage in capital letters; nil if the ID does not state one.
    private(set) var usage: UTF8Text?
    /// Whether the ID is of version 2, so that the ID or the entry has to say what the entry is for.
    private(set) var isOfSecondVersion = false
    /// Whether the ID has another form than these, in which it could state another purpose unnoticed. Such an entry is for nothing.
    private(set) var isOfUnknownForm = false
    /// Whether the entry has the ID of a document on another host than the document that it is in.
    private(set) var isOfOtherDocument = false

    /// - Parameters:
    ///   - id: the ID of the entry. If it has only a fragment, it is relative to that of the document.
    ///   - documentID: the ID of the document; nil if it has none.
    init(_ id: UTF8Text?, in documentID: UTF8Text?) {
        let document = Self.segments(of: documentID)
        var segments = Self.segments(of: id)
        if segments.isEmpty { segments = document }
        // Without any ID, only the members say what the entry is for.
        guard !segments.isEmpty else { return }
        // A host may have a port, which is escaped. Nothing else needs escapes.
        let host = 2
        guard segments.count > host + 1, segments[..<host] == ["DID", "WEB"],
            segments.enumerated().allSatisfy({ $0 == host || $1.utf8.allSatisfy(Self.isOfName) })
        else {
            isOfUnknownForm = true
            return
        }
        if document.first == "DID" { isOfOtherDocument = segments.prefix(host + 1) != document.prefix(host + 1) }
        let path = segments[(host + 1)...]
        switch path.first {
        case "TRUSTLIST":
            // After it comes at most a country: TLS is Timor-Leste there, and the other words are no countries.
            let rest = path.dropFirst()
            isOfUnknownForm = rest.count > 1 || !rest.allSatisfy { (2...3).contains($0.utf8.count) && $0 != "SCA" }
            participant = rest.first
        case "V2" where path.dropFirst().first == "TRUSTLIST":
            let rest = Array(path.dropFirst(2))
            isOfUnknownForm = rest.count > 3
            isOfSecondVersion = true
            // A list of all domains has a hyphen in its place.
            if let first = rest.first, first != "-" { domain = first }
            if rest.count > 1, rest[1] != "-" { participant = rest[1] }
            if rest.count > 2 { usage = rest[2] }
        default: isOfUnknownForm = true
        }
    }

    /// Whether a byte may occur in a part of a DID (DID Core §3.1), without escapes.
    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"): true
        default: false
        }
    }

    /// The parts between colons before the fragment, in capital letters, since DIDs write them in either case.
    private static func segments(of id: UTF8Text?) -> [UTF8Text] {
        guard let id else { return [] }
        let path = id.utf8.map { (0x61...0x7A).contains($0) ? $0 & 0xDF : $0 }.prefix { $0 != UInt8(ascii: "#") }
        guard !path.isEmpty else { return [] }
        return path.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
            .map { UTF8Text(decoding: $0) }
    }
}

/// A text with its signature in the line before it, which is the form of the German list.
package struct SignedText: Sendable {
    /// The signature: ES256, 64 bytes.
    package let signature: [UInt8]
    /// Everything after the first line.
    package let text: [UInt8]

    /// Takes a file apart.
    ///
    /// - Returns: nil if its first line is no signature, or if no JSON object follows.
    package init?(_ bytes: [UInt8]) {
        guard let end = bytes.prefix(256).firstIndex(of: 0x0A) else { return nil }
        let line = bytes[..<end].trimmingWhiteSpace()
        text = Array(bytes[(end + 1)...])
        guard text[...].trimmingWhiteSpace().first == UInt8(ascii: "{"),
            let signature = try? Base64.decode(Array(line)),
            !signature.isEmpty
        else { return nil }
        self.signature = signature
    }

    /// Whether a key has made the signature.
    package func isSigned(by key: P256PublicKey) -> Bool {
        guard let signature = try? ES256Signature(signature) else { return false }
        return key.isValid(signature, for: text[...])
    }
}

/// The content of a file of trusted issuers, signers or keys. It is parsed once, whatever it is.
///
/// JSON says with the members at its top what it is (`DocumentKind`). What is not JSON is recognised by its form.
package enum ListFile: Sendable {
    /// A JSON document.
    case json(JSONValue)
    /// The JSON document behind a line with its signature, as in the German list.
    case signed(JSONValue, SignedText)
    /// Certificates, in PEM or DER.
    case certificates([UInt8])

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - bytes: the whole file.
    ///   - maximumSize: the largest size in bytes.
    /// - Throws: `Malformed` if it is too large, or is not certificates and not acceptable JSON.
    package init(_ bytes: [UInt8], maximumSize: Int) throws(Malformed) {
        guard bytes.count <= maximumSize else {
            throw Malformed("it is larger than \(maximumSize >> 20) MiB")
        }
        let first = bytes[...].trimmingByteOrderMarks().first
        if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
            self = .json(try PublishedList.parse(file: bytes, maximumSize: maximumSize))
        } else if let signed = SignedText(bytes) {
            self = .signed(try PublishedList.parse(file: signed.text, maximumSize: maximumSize), signed)
        } else if Self.isDER(bytes) || PEM.hasBlock(bytes) {
            self = .certificates(bytes)
        } else {
            self = .json(try PublishedList.parse(file: bytes, maximumSize: maximumSize))
        }
    }

    /// Whether bytes are a certificate in DER. No text in UTF-8 begins so.
    static func isDER(_ bytes: [UInt8]) -> Bool {
        bytes.count > 2 && bytes[0] == 0x30 && (0x81...0x83).contains(bytes[1])
    }

    /// What the document is; nil for certificates.
    package var kind: DocumentKind? {
        get throws(Malformed) {
            switch self {
            case .json(let document), .signed(let document, _):
                try DocumentKind(of: document, among: DocumentKind.directories)
            case .certificates: nil
            }
        }
    }
}
