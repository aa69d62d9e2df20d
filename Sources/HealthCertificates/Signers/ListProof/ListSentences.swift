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
