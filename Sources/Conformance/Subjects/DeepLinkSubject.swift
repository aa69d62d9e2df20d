import JSON
import SMARTHealthCards

/// A URL whose fragment is a card file.
struct DeepLinkSubject: Sendable {
    let document: Document
    /// What stands before the fragment.
    let address: ArraySlice<UInt8>
    /// The fragment; nil if the URL has none.
    let fragment: ArraySlice<UInt8>?
    /// Whether the fragment is percent-encoded.
    let isEncoded: Bool
    /// The file's JSON, or why there is none; nil if there is no fragment.
    let file: Result<JSONValue, JSONError>?

    init(_ document: Document) {
        self.document = document
        let text = document.text[...]
        let hash = text.firstIndex(of: UInt8(ascii: "#"))
        address = hash.map { text[..<$0] } ?? text
        let fragment = hash.map { text[($0 + 1)...] }
        self.fragment = fragment
        isEncoded = fragment.map { $0.first != UInt8(ascii: "{") } ?? false
        let bytes = isEncoded ? fragment.flatMap { Artifact.percentDecoded($0) } : fragment.map { Array($0) }
        file = bytes.map { bytes in
            Result { () throws(JSONError) in try JSONDocument.parse(bytes, maximumDepth: Bounds.nesting) }
        }
    }
}
