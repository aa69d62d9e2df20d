import Credentials
import Cryptography
package import Encodings
package import Inputs

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
