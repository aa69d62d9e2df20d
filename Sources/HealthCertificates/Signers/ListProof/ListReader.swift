import Credentials
import Cryptography
package import Encodings

/// Reads a list of version 2 for its proof: exactly the shape of the table (WHO-P1 to WHO-P10), and nothing else.
///
/// It goes on after a problem, so that lint can name all of them. `signed` is nil then: there is nothing to verify.
package struct ListReader {
    /// A list of which all is known that its proof is about.
    package struct Signed: Sendable {
        /// The sentences of the document.
        package let document: [UInt8]
        /// The sentences of the proof.
        package let proof: [UInt8]
        /// The octets over which the signature is.
        package let signedOctets: [UInt8]
        let signature: Signature
        /// Who has signed, according to the proof.
        package let statement: ListStatement

        /// Whether a key has made the signature.
        func isSigned(by key: P256PublicKey) -> Bool {
            guard case .numbers(let signature) = signature else { return false }
            return key.isValid(signature, for: signedOctets[...])
        }
    }

    /// A signature in one of the two forms that are read (WHO-P7).
    enum Signature: Sendable {
        case numbers(ES256Signature)
        /// One of the numbers is none that a signature can have.
        case outOfRange
    }

    /// What speaks against checking the proof.
    package private(set) var problems: [ListProblem] = []
    /// The places of entries that repeat an earlier one. They change nothing.
    package private(set) var repeated: [String] = []
    /// The list; nil if there is a problem, or no proof.
    package private(set) var signed: Signed?
    /// Whether the list has a member `proof`.
    package let hasProof: Bool
    /// Who has signed, according to the proof, as far as that can be read.
    package private(set) var statement = ListStatement(signer: nil, created: nil)

    /// The number of problems that are kept. Each entry of a list may have the same one.
    private static let maximumProblems = 1000

    /// Reads a list.
    package init(_ document: JSONValue) {
        hasProof = document["proof"] != nil
        let environment = readContext(document)
        let names = TrustEnvironment.named(in: document)
        if names.count > 1 {
            let words = TrustEnvironment.allCases.filter(names.contains).map(\.rawValue).joined(separator: " and ")
            note(.environment, "", "says that it is a list of \(words)")
        }
        let isWhole = hasExactly(
            ["@context", "id", "controller", "verificationMethod", "proof"], document, "", isWithout: ["proof"])
        let id = did(document["id"], "id")
        let controller = did(document["controller"], "controller")
        let body = readMethods(document["verificationMethod"], environment ?? .production)
        let proof = readProof(document["proof"])
        guard problems.isEmpty, isWhole, environment != nil, let id, let controller, let body, let proof else { return }
        signed = seal(id: id, controller: controller, body, environment ?? .production, proof)
    }

    private mutating func note(_ kind: ListProblem.Kind, _ path: String, _ words: String) {
        guard problems.count < Self.maximumProblems else { return }
        problems.append(ListProblem(kind: kind, path: path, words: words))
    }

    /// Notes a problem of a value, which has no meaning then.
    private mutating func refuse<Value>(_ kind: ListProblem.Kind, _ path: String, _ words: String) -> Value? {
        note(kind, path, words)
        return nil
    }

    // MARK: Members

    /// Whether an object has these members and no others. Their values are looked at elsewhere.
    ///
    /// - Parameter optional: members whose absence is no problem here.
    private mutating func hasExactly(
        _ names: [String], _ value: JSONValue, _ path: String, _ kind: ListProblem.Kind = .members,
        isWithout optional: [String] = []
    ) -> Bool {
        guard let members = value.members else {
            note(kind, path, "is not an object")
            return false
        }
        var isExact = true
        for (name, _) in members where !names.contains(where: { $0.utf8.elementsEqual(name.utf8) }) {
            note(kind, path, "has a member \(name.quoted(upTo: 80)), which no list has")
            isExact = false
        }
        for name in names where value[name] == nil && !optional.contains(name) {
            note(kind, path, "has no member \"\(name)\"")
            isExact = false
        }
        return isExact
    }

    /// A text; nil if it is none, or if it is missing.
    private mutating func text(
        _ value: JSONValue?, _ path: String, _ kind: ListProblem.Kind = .members
    ) -> [UInt8]? {
        guard let value else { return nil }
        guard let text = value.stringBytes else {
            return refuse(kind, path, "is \(value.excerpt), and not a text")
        }
        return text
    }

    /// A text of a form; nil if it is none, or if it is missing.
    ///
    /// - Parameter kind: the kind of problem if it has another form: `form` in the proof, else `value`.
    private mutating func checked(
        _ value: JSONValue?, _ path: String, _ words: String, _ kind: ListProblem.Kind = .value,
        _ isGood: ([UInt8]) -> Bool
    ) -> [UInt8]? {
        guard let text = text(value, path, kind == .form ? .form : .members) else { return nil }
        return isGood(text) ? text : refuse(kind, path, "\(words): \(UTF8Text(decoding: text).quoted(upTo: 80))")
    }

    private mutating func did(_ value: JSONValue?, _ path: String) -> [UInt8]? {
        checked(value, path, "is no DID") { ListText.isDID($0) }
    }

    private mutating func expect(
        _ value: JSONValue?, _ expected: String, _ path: String, _ kind: ListProblem.Kind = .value
    ) -> Bool {
        guard let value else { return false }
        let isExpected = value.isString(expected)
        if !isExpected { note(kind, path, "is \(value.excerpt), and not \"\(expected)\"") }
        return isExpected
    }

    // MARK: Contexts

    /// The contexts of all lists, before that of the environment.
    private static let contexts = [
        "https://www.w3.org/ns/did/v1", "https://w3id.org/security/suites/jws-2020/v1",
    ]

    private mutating func readContext(_ document: JSONValue) -> TrustEnvironment? {
        guard let context = document["@context"] else { return nil }
        let texts = context.elements.map { Array($0) } ?? []
        let environment = TrustEnvironment.allCases.first { texts.count == 3 && texts[2].isString($0.context) }
        guard let environment, texts[0].isString(Self.contexts[0]), texts[1].isString(Self.contexts[1]) else {
            return refuse(.context, "@context", "does not have the three contexts of version 2, in their order")
        }
        return environment
    }

    /// Whether a document has a context of version 2, in whatever place: such a list always has a proof.
    package static func hasContextOfSecondVersion(_ document: JSONValue) -> Bool {
        let texts = document["@context"].map { value in value.elements.map { Array($0) } ?? [value] } ?? []
        return texts.contains { $0.string?.hasPrefix("https://smart.who.int/trust/tng-context/") == true }
    }

    // MARK: Entries and references

    /// Entries and references, sorted, each once.
    private struct Body {
        /// The ID of an entry or the DID of a reference, with the sentences of the entry; nil for a reference.
        let methods: [(id: [UInt8], entry: ListEntry?)]
        let size: Int
    }

    private mutating func readMethods(_ value: JSONValue?, _ environment: TrustEnvironment) -> Body? {
        guard let value else { return nil }
        guard let elements = value.elements else {
            return refuse(.members, "verificationMethod", "is not an array")
        }
        var methods: [(id: [UInt8], entry: ListEntry?)] = []
        methods.reserveCapacity(elements.count)
        var known: [[UInt8]: ListEntry] = [:]
        for (index, element) in elements.enumerated() {
            let path = "verificationMethod[\(index)]"
            if element.kind == .string {
                if let reference = did(element, path) { methods.append((reference, nil)) }
                continue
            }
            guard let entry = readEntry(element, path) else { continue }
            if let earlier = known[entry.id] {
                guard earlier == entry else {
                    note(.duplicate, path, "is another entry with the ID of an earlier one")
                    continue
                }
                repeated.append(path)
                continue
            }
            known[entry.id] = entry
            methods.append((entry.id, entry))
        }
        guard problems.isEmpty else { return nil }
        // The sign that ends the name of a subject comes after some of the characters of DIDs, and so decides the order too.
        let end = UInt8(ascii: ">")
        var sorted = methods.map { (key: $0.id + [end], method: $0) }
        sorted.sort { $0.key.precedes($1.key) }
        var unique: [(id: [UInt8], entry: ListEntry?)] = []
        unique.reserveCapacity(sorted.count)
        // A reference twice is one sentence. No reference is an entry, since it has no fragment.
        for (_, method) in sorted where unique.last?.id != method.id { unique.append(method) }
        return Body(methods: unique, size: value.byteRange.count)
    }

    private static let members = [
        "id", "type", "controller", "publicKeyJwk", "domain", "participant", "keyusage",
    ]

    private mutating func readEntry(_ value: JSONValue, _ path: String) -> ListEntry? {
        guard hasExactly(Self.members, value, path) else { return nil }
        let id = text(value["id"], "\(path).id")
        if let id, !ListText.isDIDWithFragment(id) {
            return refuse(.value, "\(path).id", "is no DID with a key ID: \(UTF8Text(decoding: id).quoted(upTo: 80))")
        }
        let isTyped = expect(value["type"], "JsonWebKey2020", "\(path).type")
        let controller = did(value["controller"], "\(path).controller")
        let codes = ["domain", "participant", "keyusage"].map { code(value[$0], "\(path).\($0)") }
        let jwk = readKey(value["publicKeyJwk"], "\(path).publicKeyJwk")
        guard let id, isTyped, let controller, let jwk, let domain = codes[0], let participant = codes[1],
            let usage = codes[2]
        else { return nil }
        return ListEntry(
            id: id, controller: controller, domain: domain, participant: participant, usage: usage, jwk: jwk)
    }

    private mutating func code(_ value: JSONValue?, _ path: String) -> [UInt8]? {
        guard let value, hasExactly(["code"], value, path) else { return nil }
        return checked(value["code"], "\(path).code", "is no code") { ListText.isCode($0) }
    }

    private mutating func readKey(_ value: JSONValue?, _ path: String) -> [ListEntry.KeyMember]? {
        guard let members = value?.members else {
            if value != nil { note(.members, path, "is not an object") }
            return nil
        }
        var key: [ListEntry.KeyMember] = []
        for (name, value) in members {
            let name = Array(name.utf8)
            let texts = value.elements.map { Array($0) } ?? [value]
            let printable = texts.map { text -> ArraySlice<UInt8>? in
                (text.plainStringBytes ?? text.stringBytes?[...]).flatMap { ListText.isPrintable($0) ? $0 : nil }
            }
            let found = printable.compactMap(\.self)
            guard ListText.isPrintable(name[...]), found.count == texts.count else {
                return refuse(.value, path, "has a member that is neither a printable text nor an array of such texts")
            }
            key.append(ListEntry.KeyMember(name: name, value: value.kind == .array ? .texts(found) : .text(found[0])))
        }
        // Names of printable characters have one order, whether by characters or by code units (RFC 8785 §3.2.3).
        return key.sorted { $0.name.precedes($1.name) }
    }

    // MARK: Proof

    private struct Proof {
        let created: [UInt8]
        let nonce: [UInt8]
        let signer: [UInt8]
        /// The first part of the signature's text.
        let header: [UInt8]
        let signature: Signature
    }

    private mutating func readProof(_ value: JSONValue?) -> Proof? {
        guard let value else { return nil }
        let path = "proof"
        statement = ListStatement(value)
        guard
            hasExactly(
                ["type", "created", "nonce", "proofPurpose", "verificationMethod", "jws"], value, path, .form)
        else { return nil }
        let isTyped = expect(value["type"], "JsonWebSignature2020", "proof.type", .form)
        let isForAssertion = expect(value["proofPurpose"], "assertionMethod", "proof.proofPurpose", .form)
        let created = checked(value["created"], "proof.created", "is no time in the form 2026-08-22T17:05:01Z", .form) {
            ListText.hasFormOfTime($0) && NumericDate(text: String(decoding: $0, as: UTF8.self)) != nil
        }
        let nonce = checked(value["nonce"], "proof.nonce", "is no nonce", .form) { ListText.isNonce($0) }
        let signer = checked(value["verificationMethod"], "proof.verificationMethod", "is no DID", .form) {
            ListText.isDID($0) || ListText.isDIDWithFragment($0)
        }
        guard let jws = text(value["jws"], "proof.jws", .form), let (header, signature) = readSignature(jws) else {
            return nil
        }
        guard isTyped, isForAssertion, let created, let nonce, let signer else { return nil }
        return Proof(created: created, nonce: nonce, signer: signer, header: header, signature: signature)
    }

    private mutating func readSignature(_ jws: [UInt8]) -> (header: [UInt8], Signature)? {
        let parts = jws.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, parts[1].isEmpty, let header = try? Base64URL.decode(parts[0]),
            let octets = try? Base64URL.decode(parts[2])
        else {
            return refuse(
                .form, "proof.jws", "is not a header and a signature in base64url, with two dots between them")
        }
        guard Self.isKnown(header: header) else {
            return refuse(
                .form, "proof.jws", "has another header than {\"b64\":false,\"crit\":[\"b64\"],\"alg\":\"ES256\"}")
        }
        do throws(ES256SignatureError) {
            // A corrected signer would write the two numbers as a JWS has them.
            let signature = try octets.count == 64 ? ES256Signature(octets) : ES256Signature(der: octets)
            return (Array(parts[0]), .numbers(signature))
        } catch .outOfRange {
            return (Array(parts[0]), .outOfRange)
        } catch {
            return refuse(.form, "proof.jws", "has a signature that is neither DER nor 64 octets")
        }
    }

    private static func isKnown(header: [UInt8]) -> Bool {
        guard let header = try? JSONDocument.parse(header), let members = header.members, members.count == 3,
            header["b64"]?.boolean == false, header["alg"]?.isString("ES256") == true,
            let critical = header["crit"]?.elements.map({ Array($0) })
        else { return false }
        return critical.count == 1 && critical[0].isString("b64")
    }

    // MARK: Signed octets

    private func seal(
        id: [UInt8], controller: [UInt8], _ body: Body, _ environment: TrustEnvironment, _ proof: Proof
    ) -> Signed {
        // The escapes of a key's certificates are few, so what is written is about as long as what was read.
        var document = ListSentences(capacity: body.size + body.size / 2)
        let end = UInt8(ascii: ">")
        let own = id + [end]
        var isWritten = false
        for (name, entry) in body.methods {
            guard let entry else { continue }
            if !isWritten, own.precedes(name + [end]) {
                document.write(document: id, controller: controller, methods: body.methods.map(\.id))
                isWritten = true
            }
            document.write(entry, environment)
        }
        if !isWritten { document.write(document: id, controller: controller, methods: body.methods.map(\.id)) }
        var sentences = ListSentences(capacity: 1024)
        sentences.write(created: proof.created, nonce: proof.nonce, signer: proof.signer)
        let octets =
            proof.header + [UInt8(ascii: ".")] + SHA256.digest(sentences.bytes) + SHA256.digest(document.bytes)
        return Signed(
            document: document.bytes, proof: sentences.bytes, signedOctets: octets, signature: proof.signature,
            statement: statement)
    }
}

extension [UInt8] {
    /// Whether the bytes come before others. The order of characters is that of their bytes in UTF-8.
    fileprivate func precedes(_ other: [UInt8]) -> Bool {
        let (left, right) = (span, other.span)
        for index in 0..<Swift.min(left.count, right.count) where left[index] != right[index] {
            return left[index] < right[index]
        }
        return left.count < right.count
    }
}
