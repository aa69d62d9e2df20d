package import Credentials
package import Cryptography
package import Encodings

/// What a list has to prove who made it: the proof of WHO's list, or the signature of the German one.
package struct ListProof: Sendable {
    private enum Content: Sendable {
        case document(JSONValue)
        case signedText(SignedText)
        /// The form has a signature, and this list was given without it.
        case nothing
    }

    private let content: Content

    /// The proof of WHO's list.
    package init(of document: JSONValue) { content = .document(document) }

    /// The signature of the German list; nil if it was given without one.
    init(_ signed: SignedText?) { content = signed.map { .signedText($0) } ?? .nothing }

    /// What is known of a proof.
    package enum Outcome: Sendable {
        /// It verifies by a key that was given.
        case verified(VerifiedList)
        /// It can be checked, and no key was given.
        case unchecked(ListStatement)
        /// It cannot be checked by anybody, so it says nothing.
        case uncheckable(ListProblem, ListStatement)
        /// There is none.
        case absent
        /// None of the given keys is one of the DID that it names.
        case noKey(ListStatement)
        /// It does not verify: the list was changed, or somebody else made it.
        case invalid(ListStatement)
    }

    /// Checks the proof.
    ///
    /// - Parameter keys: the keys to check it by; nil if none were given.
    package func outcome(by keys: ListKeys?) -> Outcome {
        switch content {
        case .nothing: return .absent
        case .signedText(let signed):
            return Self.outcome(ListStatement(signer: nil, created: nil), by: keys, signed.isSigned)
        case .document(let document):
            let reader = ListReader(document)
            guard reader.hasProof else { return .absent }
            guard let signed = reader.signed else {
                let unread = ListProblem(kind: .form, path: "proof", words: "cannot be read")
                return .uncheckable(reader.problems.first ?? unread, reader.statement)
            }
            return Self.outcome(signed.statement, by: keys, signed.isSigned)
        }
    }

    private static func outcome(
        _ statement: ListStatement, by keys: ListKeys?, _ isSigned: (P256PublicKey) -> Bool
    ) -> Outcome {
        guard let keys else { return .unchecked(statement) }
        let candidates = keys.candidates(for: statement.signer)
        guard !candidates.isEmpty else { return .noKey(statement) }
        guard let key = candidates.first(where: isSigned) else { return .invalid(statement) }
        return .verified(VerifiedList(statement, by: key))
    }
}

/// The certainty that somebody's key has signed a list. Only `ListProof.outcome` makes it.
package struct VerifiedList: Sendable {
    /// Who signed, and when.
    package let statement: ListStatement
    /// The key.
    package let key: P256PublicKey

    fileprivate init(_ statement: ListStatement, by key: P256PublicKey) {
        self.statement = statement
        self.key = key
    }

    /// The RFC 7638 thumbprint of the key.
    package var thumbprint: KeyID { key.thumbprint }
}

/// A reason why the proof of a list cannot be checked: something in it that the table of sentences (WHO-P4) does not know. What cannot be
/// checked is never good.
package struct ListProblem: Sendable, Equatable {
    /// The kinds of reasons.
    package enum Kind: String, Sendable, CaseIterable {
        /// A member is missing, there is one more, or one is of another type (WHO-P1, WHO-P3).
        case members
        /// The contexts are not those of a list of version 2 (WHO-P2).
        case context
        /// A value has other characters, or another form (WHO-P3, WHO-P9).
        case value
        /// Two signs of the environment differ (WHO-E2).
        case environment
        /// Two different entries have one ID (WHO-P10).
        case duplicate
        /// The proof has another form (WHO-P7, WHO-P8).
        case form
    }

    /// The kind of the reason.
    package let kind: Kind
    /// Where it is, as reports write paths: `verificationMethod[3].domain`. Empty for the whole document.
    package let path: String
    /// What is wrong, in words that follow the path.
    package let words: String

    /// The reason in one line.
    package var description: String { path.isEmpty ? "it \(words)" : "\(path) \(words)" }
}

/// Who has signed a list and when, according to its proof. It is only true if the proof was verified.
package struct ListStatement: Sendable, Equatable {
    /// The DID of the signer; nil if the proof names none.
    package let signer: UTF8Text?
    /// When the proof was made; nil if the proof does not say.
    package let created: NumericDate?
}

extension ListStatement {
    /// Reads what a proof says, whatever else is wrong with it.
    init(_ proof: JSONValue) {
        signer = proof["verificationMethod"]?.string
        created = proof["created"]?.stringBytes.flatMap { text in
            ListText.hasFormOfTime(text) ? NumericDate(text: String(decoding: text, as: UTF8.self)) : nil
        }
    }
}

/// The texts that may occur in a list whose proof is checked (WHO-P9). All of them have only characters that mean nothing in N-Quads, so no
/// value can end a term or a sentence.
enum ListText {
    /// Whether a text is a DID without a fragment.
    static func isDID(_ text: some Collection<UInt8>) -> Bool {
        let parts = text.split(separator: UInt8(ascii: ":"), maxSplits: 2, omittingEmptySubsequences: false)
        return parts.count == 3 && parts[0].elementsEqual("did".utf8) && !parts[1].isEmpty && !parts[2].isEmpty
            && parts[1].allSatisfy { isLower($0) || isDigit($0) } && parts[2].allSatisfy { isOfDID($0) || $0 == colon }
    }

    /// Whether a text is a DID with a fragment.
    static func isDIDWithFragment(_ text: some Collection<UInt8>) -> Bool {
        guard let sign = text.firstIndex(of: number) else { return false }
        let fragment = text[text.index(after: sign)...]
        return isDID(text[..<sign]) && !fragment.isEmpty
            && fragment.allSatisfy { isOfDID($0) || $0 == colon || "+/=".utf8.contains($0) }
    }

    /// Whether a text is a code: a number sign, and then letters, digits and hyphens.
    static func isCode(_ text: [UInt8]) -> Bool {
        text.count > 1 && text[0] == number && text.dropFirst().allSatisfy { isLetterOrDigit($0) || $0 == hyphen }
    }

    /// Whether a text is a nonce.
    static func isNonce(_ text: [UInt8]) -> Bool {
        (1...128).contains(text.count) && text.allSatisfy { isLetterOrDigit($0) || "+/=_-".utf8.contains($0) }
    }

    /// Whether a text has the form `2026-08-22T17:05:01Z`. The date itself may not exist.
    static func hasFormOfTime(_ text: [UInt8]) -> Bool {
        let form = Array("0000-00-00T00:00:00Z".utf8)
        return text.count == form.count
            && zip(text, form).allSatisfy { $1 == UInt8(ascii: "0") ? isDigit($0) : $0 == $1 }
    }

    /// Whether a text consists of printable characters of ASCII.
    static func isPrintable(_ text: ArraySlice<UInt8>) -> Bool {
        text.withSpan { span in
            for index in span.indices where span[index] < 0x20 || span[index] > 0x7E { return false }
            return true
        }
    }

    private static let colon = UInt8(ascii: ":")
    private static let number = UInt8(ascii: "#")
    private static let hyphen = UInt8(ascii: "-")

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
    private static func isLower(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }
    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        isDigit(byte) || isLower(byte) || (0x41...0x5A).contains(byte)
    }
    private static func isOfDID(_ byte: UInt8) -> Bool {
        isLetterOrDigit(byte) || byte == hyphen || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_")
            || byte == UInt8(ascii: "%")
    }
}

extension ArraySlice<UInt8> {
    /// Calls `body` with the bytes, without a check of the array at each of them.
    fileprivate func withSpan<Result>(_ body: (Span<UInt8>) -> Result) -> Result { body(span) }
}

/// Writes the sentences (N-Quads) that a list and its proof stand for (WHO-P4).
///
/// The contexts are fixed, so the sentences are too, and neither JSON-LD nor RDF is needed. They are written in their order: those of one
/// subject differ first in the predicate, and the order of the predicates is the same in all environments.
struct ListSentences {
    private(set) var bytes: [UInt8] = []

    private static let type = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
    private static let security = "https://w3id.org/security#"

    init(capacity: Int = 0) { bytes.reserveCapacity(capacity) }

    private mutating func write(_ text: String) { bytes.append(contentsOf: text.utf8) }

    private mutating func open(_ subject: [UInt8], _ predicate: String) {
        bytes.append(UInt8(ascii: "<"))
        bytes.append(contentsOf: subject)
        write("> <\(predicate)> ")
    }

    private mutating func end() { write(" .\n") }

    /// Writes a sentence whose object is an IRI.
    private mutating func write(_ subject: [UInt8], _ predicate: String, iri: some Collection<UInt8>) {
        open(subject, predicate)
        write(iri: iri)
        end()
    }

    private mutating func write(iri: some Collection<UInt8>) {
        bytes.append(UInt8(ascii: "<"))
        bytes.append(contentsOf: iri)
        bytes.append(UInt8(ascii: ">"))
    }

    // MARK: The document

    /// Writes the sentences of the document: its controller, and then its entries and references, which have to be in order.
    mutating func write(document: [UInt8], controller: [UInt8], methods: some Sequence<[UInt8]>) {
        write(document, Self.security + "controller", iri: controller)
        for method in methods { write(document, Self.security + "verificationMethod", iri: method) }
    }

    /// Writes the sentences of an entry.
    mutating func write(_ entry: ListEntry, _ environment: TrustEnvironment) {
        write(entry.id, Self.type, iri: (Self.security + "JsonWebKey2020").utf8)
        for (name, code) in [("Domains", entry.domain), ("KeyUsage", entry.usage), ("Participants", entry.participant)]
        {
            let set = "https://smart.who.int/trust/ValueSet-\(name)\(environment.suffix).jsonld"
            write(entry.id, set, iri: Array(set.utf8) + code)
        }
        write(entry.id, Self.security + "controller", iri: entry.controller)
        open(entry.id, Self.security + "publicKeyJwk")
        bytes.append(UInt8(ascii: "\""))
        write(jwk: entry.jwk)
        write("\"^^<http://www.w3.org/1999/02/22-rdf-syntax-ns#JSON>")
        end()
    }

    /// Writes a key in the canonical form of JSON (RFC 8785), with the escapes of N-Quads.
    private mutating func write(jwk: [ListEntry.KeyMember]) {
        write("{")
        for (index, member) in jwk.enumerated() {
            if index > 0 { write(",") }
            write(string: member.name[...])
            write(":")
            switch member.value {
            case .text(let text): write(string: text)
            case .texts(let texts):
                write("[")
                for (index, text) in texts.enumerated() {
                    if index > 0 { write(",") }
                    write(string: text)
                }
                write("]")
            }
        }
        write("}")
    }

    /// Writes a string of printable characters. JSON escapes a quotation mark and a backslash with a backslash, and N-Quads both again.
    private mutating func write(string: ArraySlice<UInt8>) {
        write(#"\""#)
        let (quote, backslash) = (UInt8(ascii: "\""), UInt8(ascii: "\\"))
        if string.contains(where: { $0 == quote || $0 == backslash }) {
            for byte in string {
                switch byte {
                case quote: write(#"\\\""#)
                case backslash: write(#"\\\\"#)
                default: bytes.append(byte)
                }
            }
        } else {
            bytes.append(contentsOf: string)
        }
        write(#"\""#)
    }

    // MARK: The proof

    /// Writes the sentences of the proof without its signature. It has no name of its own, so it is the first one without a name.
    mutating func write(created: [UInt8], nonce: [UInt8], signer: [UInt8]) {
        let subject = "_:c14n0"
        write("\(subject) <http://purl.org/dc/terms/created> \"")
        bytes.append(contentsOf: created)
        write("\"^^<http://www.w3.org/2001/XMLSchema#dateTime> .\n")
        write("\(subject) <\(Self.type)> <\(Self.security)JsonWebSignature2020> .\n")
        write("\(subject) <\(Self.security)nonce> \"")
        bytes.append(contentsOf: nonce)
        write("\" .\n")
        write("\(subject) <\(Self.security)proofPurpose> <\(Self.security)assertionMethod> .\n")
        write("\(subject) <\(Self.security)verificationMethod> ")
        write(iri: signer)
        end()
    }
}

/// An entry of a list, with nothing but what its sentences say.
struct ListEntry: Equatable {
    /// A member of `publicKeyJwk`.
    struct KeyMember: Equatable {
        enum Value: Equatable {
            case text(ArraySlice<UInt8>)
            case texts([ArraySlice<UInt8>])
        }

        let name: [UInt8]
        let value: Value
    }

    let id: [UInt8]
    let controller: [UInt8]
    /// The codes, each with its number sign.
    let domain: [UInt8]
    let participant: [UInt8]
    let usage: [UInt8]
    /// The key, its members in the order of their names.
    let jwk: [KeyMember]
}
