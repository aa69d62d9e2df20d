package import Credentials
package import Cryptography
package import Encodings
import Inputs

/// A list of signers that are trusted to sign certificates. Its form is found by its content (`ListFile`).
///
/// Supported are WHO's list (GDHCN, a DID document of version 1 or 2), the EU gateway's JSON, the German signed list,
/// certificates in PEM or DER, and JSON Web Key sets.
package struct SignerList: Sendable {
    /// The form of a list.
    package enum Form: String, Sendable {
        case gdhcn = "gdhcn"
        case gateway = "gateway"
        case german = "german"
        case certificates = "certificates"
        case jwks = "jwks"

        /// The form in words.
        package var words: String {
            switch self {
            case .gdhcn: "WHO's trust list (GDHCN)"
            case .gateway: "a trust list of the EU gateway"
            case .german: "the German trust list"
            case .certificates: "signer certificates"
            case .jwks: "a key set"
            }
        }
    }

    /// The form of the list.
    package let form: Form
    /// The entries for signers, with the key ID of each, in the order of the list.
    package private(set) var entries: [(keyID: [UInt8], entry: SignerEntry)] = []
    /// The entries without those for authorities, which are only known after their certificates were read.
    package var signerEntries: [(keyID: [UInt8], entry: SignerEntry)] { entries.filter { !$0.entry.isOfAuthority } }
    /// Whether at least one signer has a key that can be used.
    package var hasUsableSigner: Bool {
        signerEntries.contains { keyID, entry in
            if case .success? = entry.signer(keyID: keyID, refusing: [])?.key { true } else { false }
        }
    }
    /// The number of entries that are not for signers: references, authorities, other trust domains.
    package private(set) var otherCount = 0
    /// The number of entries that cannot be read.
    package private(set) var unreadableCount = 0
    /// The keys in the list whose private half is published in it, whatever they are for.
    package private(set) var compromised = CompromisedKeys()
    /// Certificates of entries that are not for signers, such as those of authorities.
    private var otherContents: [SignerEntry.Content] = []
    /// All certificates of the list.
    private(set) var file = SignerEntry.File(contents: [])
    /// What the list has to prove who made it; nil for a form that has no such thing.
    package private(set) var proof: ListProof?
    /// The ID of WHO's list; nil for other forms, and if it has none.
    package private(set) var id: UTF8Text?
    /// Whether WHO's list has a context of version 2. Such a list always has a proof.
    package private(set) var hasContextOfSecondVersion = false
    private let origin: KeyOrigin
    /// When the list was made or fetched; nil if that is not known.
    package var retrieved: NumericDate?
    /// The environments that the list names. More than one is a contradiction: such a list must not be used.
    package private(set) var environments: Set<TrustEnvironment> = []
    /// The environment of the list; nil if it names none, or several.
    package var environment: TrustEnvironment? { environments.count == 1 ? environments.first : nil }

    // MARK: Reading

    /// Reads a list.
    ///
    /// - Parameters:
    ///   - bytes: the whole file.
    ///   - origin: where it comes from: `directory`, or `jwksFile` for keys that were given.
    ///   - maximumSize: the largest size in bytes.
    /// - Throws: `Malformed` if its form is not known.
    package init(
        _ bytes: [UInt8], from origin: KeyOrigin = .directory, maximumSize: Int = Bounds.directorySize
    ) throws(Malformed) {
        let file = try ListFile(bytes, maximumSize: maximumSize)
        try self.init(file, from: origin)
    }

    /// Reads a list from a file that was parsed.
    ///
    /// - Throws: `Malformed` if its form is not known.
    package init(_ file: ListFile, from origin: KeyOrigin = .directory) throws(Malformed) {
        self.origin = origin
        let kind = try file.kind
        switch (file, kind) {
        case (.certificates(let bytes), _):
            form = .certificates
            try readCertificates(bytes)
        case (.json(let document), .didDocument):
            form = .gdhcn
            proof = ListProof(of: document)
            id = document["id"]?.string
            hasContextOfSecondVersion = ListReader.hasContextOfSecondVersion(document)
            try readDIDDocument(document)
        case (.json(let document), .gatewayList):
            form = .gateway
            try readGateway(document)
        case (.json(let document), .germanList), (.signed(let document, _), .germanList):
            form = .german
            proof = if case .signed(_, let signed) = file { ListProof(signed) } else { ListProof(nil) }
            guard let listed = document["certificates"] else { throw Malformed("it has no array \"certificates\"") }
            try readGateway(listed)
        case (.json(let document), .keySet):
            form = .jwks
            try readKeySet(document)
        case (.signed, _):
            throw Malformed("it begins with a signature, as the German list does, and what follows is not that list")
        case (.json, _):
            throw Malformed("it is \(kind?.words ?? "another document"), and not a list of signers of EU certificates")
        }
        finish()
    }

    /// Reads a key set.
    ///
    /// - Throws: `Malformed` if it is no key set.
    package init(keySet bytes: [UInt8]) throws(Malformed) {
        let set = try PublishedList.parse(file: bytes, maximumSize: Bounds.directorySize)
        try self.init(keySet: set)
    }

    /// Tells each entry what the whole list says about it.
    private mutating func finish() {
        file = SignerEntry.File(contents: entries.map(\.entry.content) + otherContents)
        otherContents = []
        for index in entries.indices {
            entries[index].entry.burntInList = compromised
            entries[index].entry.environment = environment
            switch form {
            // These do not say which certificates are those of signers.
            case .certificates, .jwks: entries[index].entry.file = file
            // These do. Some countries have signed with their root, and list it as a signer's certificate.
            case .gateway, .german, .gdhcn: break
            }
        }
    }

    /// Reads a key set from parsed JSON. Members that nobody knows are ignored (RFC 7517 §5).
    ///
    /// - Throws: `Malformed` if it is no key set.
    package init(keySet set: JSONValue) throws(Malformed) {
        form = .jwks
        origin = .jwksFile
        try readKeySet(set)
        finish()
    }

    /// Whether the keys are for certificates and not for cards: they are certificates, or all entries are those of signers.
    package var isOfSigners: Bool {
        form == .certificates || !entries.isEmpty && otherCount == 0
    }

    /// Whether this is the key set of an issuer of cards: it has keys, and none of their IDs has the length of a signer's key ID. So it
    /// is no trust list at all, and a certificate beside it is not judged by it.
    package var isOfCardIssuer: Bool {
        form == .jwks && entries.isEmpty && otherCount > 0
    }

    /// Adds an entry of a list that says who signs.
    private mutating func add(
        _ content: SignerEntry.Content, keyID: [UInt8], country: String?, domain: UTF8Text?,
        participant: UTF8Text? = nil
    ) {
        let entry = SignerEntry(
            content: content, listedCountry: country, origin: origin, needsAnchor: false,
            scope: domain.map { .domain($0) } ?? .unstated, participant: participant)
        entries.append((keyID, entry))
    }

    /// Adds a certificate or key that the user has named.
    private mutating func add(named content: SignerEntry.Content, keyID: [UInt8]) {
        let entry = SignerEntry(
            content: content, listedCountry: nil, origin: origin, needsAnchor: true, scope: .all, participant: nil)
        entries.append((keyID, entry))
    }

    // MARK: WHO's list

    private mutating func readDIDDocument(_ document: JSONValue) throws(Malformed) {
        guard let methods = document["verificationMethod"]?.elements else {
            throw Malformed("its \"verificationMethod\" is not an array")
        }
        // If the list states what keys are for, an entry that does not say so is for nothing.
        let states = { (name: String) in methods.contains { $0.kind == .object && $0.optional(name) != nil } }
        let (statesUsage, statesDomain) = (states("keyusage"), states("domain"))
        let documentID = document["id"]?.string
        environments = TrustEnvironment.named(in: document)
        compromised = Self.compromisedKeys(in: document)
        for method in methods {
            guard method.kind == .object else {
                // A string is a reference to another document.
                if method.kind == .string { otherCount += 1 } else { unreadableCount += 1 }
                continue
            }
            let path = DIDPath(method.optional("id")?.string, in: documentID)
            guard
                let purpose = Self.purpose(of: method, path, statesUsage: statesUsage, statesDomain: statesDomain)
            else {
                otherCount += 1
                if let jwk = method["publicKeyJwk"], jwk["x5c"] != nil { otherContents.append(.jwk(jwk)) }
                continue
            }
            guard let jwk = method["publicKeyJwk"], jwk.kind == .object else {
                unreadableCount += 1
                continue
            }
            let labels = ListedKey(value: method, jwk: jwk).keyIDs
            if labels.isEmpty { unreadableCount += 1 }
            let participant = Self.code(method["participant"])
            for label in labels {
                add(
                    .jwk(jwk), keyID: label, country: participant?.description, domain: purpose.domain,
                    participant: participant ?? path.participant)
            }
        }
    }

    /// The members of a DID document that may hold keys (DID Core §5.2, §5.3).
    private static let relations = [
        "verificationMethod", "assertionMethod", "authentication", "keyAgreement", "capabilityInvocation",
        "capabilityDelegation",
    ]

    /// The keys whose private half is in a document, whatever they are for.
    private static func compromisedKeys(in document: JSONValue) -> CompromisedKeys {
        // A single relation may be given without an array.
        let methods = relations.compactMap { document[$0] }.flatMap { (relation) -> [JSONValue] in
            guard let elements = relation.elements else { return [relation] }
            return Array(elements)
        }.filter { $0.kind == .object }
        let keys = methods.flatMap { method in ["publicKeyJwk", "privateKeyJwk"].compactMap { method[$0] } }
        return CompromisedKeys(given: keys.filter { $0.kind == .object }.map { JWK($0) })
    }

    /// What a key signs.
    private struct Purpose {
        /// The trust domain; nil if neither the entry nor its ID states one.
        let domain: UTF8Text?
    }

    /// What the key of an entry signs; nil if it signs nothing. Countries' roots (CSCA) and keys for other purposes (DECA) are in the
    /// same list. An entry whose ID and members contradict each other is for nothing.
    private static func purpose(
        of method: JSONValue, _ path: DIDPath, statesUsage: Bool, statesDomain: Bool
    ) -> Purpose? {
        let id = method.optional("id")
        guard id == nil || id?.string != nil, !path.isOfOtherDocument, !path.isOfUnknownForm else { return nil }
        // A member that cannot be read states something, and not what is needed.
        let stated = { (name: String) in method.optional(name).map { code($0) ?? "" } }
        let (usage, domain) = (stated("keyusage"), stated("domain"))
        guard usage != nil || !statesUsage, domain != nil || !statesDomain else { return nil }
        let usages = [usage, path.usage].compactMap(\.self)
        // Version 1 says nothing of usages, because it only has signers. An ID that states a domain is of version 2.
        guard usages.allSatisfy({ $0 == "DSC" }), !usages.isEmpty || !path.isOfSecondVersion else { return nil }
        let domains = [domain, path.domain].compactMap(\.self)
        guard domains.allSatisfy({ $0 == domains[0] && !$0.isEmpty }) else { return nil }
        return Purpose(domain: domains.first)
    }

    /// The code of `{"code": "#DSC"}`, without the number sign.
    private static func code(_ value: JSONValue?) -> UTF8Text? {
        guard let text = value?["code"]?.string ?? value?.string else { return nil }
        return text.hasPrefix("#") ? UTF8Text(decoding: text.utf8.dropFirst()) : text
    }

    // MARK: The gateway's list

    private mutating func readGateway(_ list: JSONValue) throws(Malformed) {
        guard let elements = list.elements else {
            throw Malformed("it is not an array of certificates")
        }
        var isKnown = false
        for element in elements {
            guard element.kind == .object, let text = element["rawData"]?.stringBytes else {
                unreadableCount += 1
                continue
            }
            // Some tools wrap base64 into lines (RFC 2045 §6.8).
            let data = text.filter { $0 != 0x0A && $0 != 0x0D && $0 != 0x20 && $0 != 0x09 }
            isKnown = true
            let domain = element.optional("domain").map { Self.code($0) ?? "" }
            // The gateway is for EU certificates only, whatever else it might list.
            guard element["certificateType"]?.isString("DSC") == true,
                domain.map({ $0 == "DCC" || $0 == "DDCC" }) ?? true
            else {
                otherCount += 1
                otherContents.append(.base64(data))
                continue
            }
            guard let keyID = element["kid"]?.stringBytes.flatMap({ Self.bytes(ofBase64: $0) }) ?? Self.hash(data)
            else {
                unreadableCount += 1
                continue
            }
            add(
                .base64(data), keyID: keyID, country: element["country"]?.string?.description, domain: domain)
        }
        guard isKnown || list.elements?.first(where: { _ in true }) == nil else {
            throw Malformed("it is an array, but not of certificates (\"rawData\")")
        }
    }

    /// The key ID of a certificate in base64.
    private static func hash(_ base64: [UInt8]) -> [UInt8]? {
        (try? Base64.decode(base64)).map { Array(SHA256.digest($0).prefix(8)) }
    }

    // MARK: Certificates and key sets

    private mutating func readCertificates(_ bytes: [UInt8]) throws(Malformed) {
        let certificates: [[UInt8]]
        if ListFile.isDER(bytes) {
            guard (try? Certificate(der: bytes)) != nil else {
                throw Malformed("it is not one X.509 certificate in DER")
            }
            certificates = [bytes]
        } else {
            certificates = try PEM.certificates(in: bytes)
            compromised = CompromisedKeys(privateKeysIn: bytes)
        }
        for der in certificates {
            add(named: .der(der), keyID: Array(SHA256.digest(der).prefix(8)))
        }
    }

    private mutating func readKeySet(_ set: JSONValue) throws(Malformed) {
        guard let keys = set["keys"]?.elements.map({ Array($0) }) ?? (set["kty"] == nil ? nil : [set]) else {
            throw Malformed("it is no key set: it has no array \"keys\"")
        }
        let objects = keys.filter { $0.kind == .object }.map { JWK($0) }
        compromised = CompromisedKeys(given: objects)
        for key in keys {
            guard key.kind == .object else {
                unreadableCount += 1
                continue
            }
            // The other entries are keys of issuers of SMART Health Cards.
            guard let keyID = JWK(key).signerKeyID else {
                otherCount += 1
                continue
            }
            add(named: .jwk(key), keyID: keyID)
        }
    }

    /// The bytes of a text in base64 or base64url, with padding or without; nil if it is neither, or is empty.
    package static func bytes(ofBase64 text: [UInt8]) -> [UInt8]? { Base64.decodeInAnyAlphabet(text) }
}
