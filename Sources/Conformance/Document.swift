package import Encodings

/// A text that rules check: an input, or a text that was decoded from one.
package struct Document: Sendable {
    /// What kind of text it is.
    package enum Layer: String, Sendable {
        case input, qr, file, parameters, deeplink, link, jws, header, payload, bundle, jwks, crl, directory, issuer
        // Of EU Digital COVID Certificates: the text, the message, and the content in its payload.
        case hc1, cwt
        case dcc = "certificate"
        /// WHO's list of signers.
        case trustList = "trust-list"
    }

    /// The input's name.
    package let source: String
    /// The number of the card in the input; nil if the text is not part of a card.
    package let card: Int?
    /// What kind of text it is.
    package let layer: Layer
    /// The text.
    package let text: [UInt8]
    /// The JSON in the text; nil if it is not JSON.
    package let root: JSONValue?
    /// Where the text begins in the input, in bytes; nil if the text was decoded from it.
    package let inputOffset: Int?
    /// The whole input; nil if the text was decoded from it.
    let input: [UInt8]?
    /// The beginning of all paths: the place of the text in the text that contains it.
    let pathPrefix: String

    init(
        source: String, card: Int? = nil, layer: Layer, text: [UInt8], root: JSONValue? = nil,
        in input: (bytes: [UInt8], offset: Int)? = nil, pathPrefix: String = ""
    ) {
        self.source = source
        self.card = card
        self.layer = layer
        self.text = text
        self.root = root
        self.input = input?.bytes
        inputOffset = input?.offset
        self.pathPrefix = pathPrefix
    }
}

extension JSONValue {
    /// The elements of the array in a member; empty if there is none.
    func list(_ member: String) -> [JSONValue] { self[member]?.elements.map { Array($0) } ?? [] }

    /// The path from this value to one inside it, such as `.vc.type[0]`; empty for the value itself.
    func path(to target: JSONValue) -> String {
        let wanted = target.byteRange
        var path = ""
        var here = self
        descent: while here.byteRange != wanted {
            if let members = here.members {
                for (name, value) in members.named where value.byteRange.contains(wanted.lowerBound) {
                    path += Self.step(name.string ?? "")
                    here = value
                    continue descent
                }
            } else if let elements = here.elements {
                for (index, value) in elements.enumerated() where value.byteRange.contains(wanted.lowerBound) {
                    path += "[\(index)]"
                    here = value
                    continue descent
                }
            }
            break
        }
        return path
    }

    /// One step of a path: `.name`, or `["a name"]` for one that is not an identifier.
    static func step(_ name: UTF8Text) -> String {
        let isPlain =
            !name.isEmpty && name.utf8.count <= 64
            && name.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: "$"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
        if isPlain { return ".\(name)" }
        let isCut = name.unicodeScalars.count > 64
        let shown = String(String.UnicodeScalarView(name.unicodeScalars.prefix(64)))
        return "[\(JSONWriter.quoted(shown))\(isCut ? "…" : "")]"
    }
}
