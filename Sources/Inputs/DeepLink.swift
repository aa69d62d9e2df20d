import Credentials
package import Encodings

/// A URL with the JSON of a card file as its fragment, percent-encoded or not.
package struct DeepLink: Sendable {
    /// Why the fragment cannot be read as JSON.
    package enum Defect: Error, Sendable, CustomStringConvertible {
        /// A "%" is not followed by two hexadecimal digits.
        case percentEncoding
        /// The JSON has more than `Bounds.inputValues` values, and was not parsed.
        case tooManyValues
        /// The text is not acceptable JSON.
        case json(JSONError)

        package var description: String {
            switch self {
            case .percentEncoding: "its percent-encoding is invalid"
            case .tooManyValues: "the JSON contains more than \(Bounds.inputValues) values, the limit for an input"
            case .json(let error): "\(error)"
            }
        }
    }

    /// The part of the URL before the fragment.
    package let address: ArraySlice<UInt8>
    /// The fragment; nil if the URL has none.
    package let fragment: ArraySlice<UInt8>?
    /// Whether the fragment is percent-encoded.
    package let isEncoded: Bool
    /// Why the fragment is not JSON as it stands, although it begins with a brace, if decoding it makes it JSON; nil otherwise.
    package let partialEncoding: Defect?
    /// The JSON of the card file, or why it cannot be read; nil if there is no fragment, or an empty one.
    package let file: Result<JSONValue, Defect>?

    /// Reads a URL.
    package init(_ url: ArraySlice<UInt8>) {
        let hash = url.firstIndex(of: UInt8(ascii: "#"))
        address = hash.map { url[..<$0] } ?? url
        fragment = hash.map { url[($0 + 1)...] }
        guard let fragment, !fragment.isEmpty else {
            (isEncoded, partialEncoding, file) = (false, nil, nil)
            return
        }
        guard fragment.first == UInt8(ascii: "{") else {
            (isEncoded, partialEncoding, file) = (true, nil, Self.decoded(fragment))
            return
        }
        // Some issuers encode all characters except the braces.
        let plain = Self.parsed(Array(fragment))
        isEncoded = false
        if case .failure(.json(let error)) = plain, case .success(let value) = Self.decoded(fragment) {
            (partialEncoding, file) = (.json(error), .success(value))
        } else {
            (partialEncoding, file) = (nil, plain)
        }
    }

    private static func decoded(_ fragment: ArraySlice<UInt8>) -> Result<JSONValue, Defect> {
        PercentEncoding.decode(fragment).map { parsed($0) } ?? .failure(.percentEncoding)
    }

    /// Parses JSON, within the limits for an input.
    package static func parsed(
        _ text: [UInt8], mostValues: Int = Bounds.inputValues
    ) -> Result<JSONValue, Defect> {
        guard !text.holdsMoreJSONValues(than: mostValues) else { return .failure(.tooManyValues) }
        return Result { () throws(JSONError) in try JSONDocument.parse(text, maximumDepth: Bounds.nesting) }
            .mapError(Defect.json)
    }
}
