public import JSON

/// A text that rules look at, and where it came from: an input, or what was decoded out of one.
public struct Document: Sendable {
    /// What kind of text it is.
    public enum Layer: String, Sendable {
        case input, qr, file, parameters, deeplink, jws, header, payload, bundle, jwks, crl, directory, issuer
    }

    /// The input's name.
    public let source: String
    /// The number of the card in the input, where the text is part of one.
    public let card: Int?
    /// What kind of text it is.
    public let layer: Layer
    /// The text.
    public let text: [UInt8]
    /// The JSON in it, where it is JSON.
    public let root: JSONValue?
    /// Where the text begins in the input, in bytes; nil if it was decoded out of it.
    public let inputOffset: Int?
    /// The whole input, where the text stands in it.
    let input: [UInt8]?
    /// What paths begin with: where the text stands in the one it was taken from.
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
