import Bytes
import Credentials
import Cryptography
import Deflate
import JOSE
import SMARTHealthCards
import StrictJSON

/// A compact JWS, parsed as far as possible: a broken part does not hide the others.
final class JWSSubject: Sendable {
    /// One of the three parts.
    struct Part: Sendable {
        /// The range of the part in the text.
        let range: Range<Int>
        /// The decoded bytes. If there is an error, they are decoded as well as possible.
        let bytes: [UInt8]
        /// Why the part is not base64url, with an offset from the start of the part; nil if it is.
        let error: Base64Error?
    }

    /// How the payload is compressed.
    enum Compression: Sendable {
        /// Raw DEFLATE, as it should be.
        case raw
        /// Something else, whether or not it could be read.
        case other(InflateError)
    }

    let document: Document
    /// The form that the card came in.
    let kind: InputForm
    /// Whether the text was cut off, so that no rule can judge its end.
    let isCut: Bool
    /// The parts between the dots, at most the first three.
    let parts: [Part]
    /// How many parts there are; a compact JWS has three.
    let partCount: Int
    /// The header; nil if it is too large.
    let header: HeaderSubject?
    /// How the payload is compressed; nil if there is no payload.
    let compression: Compression?
    /// The inflated payload; nil if it cannot be inflated.
    let payload: PayloadSubject?

    /// The key id that the header names; nil if it names none.
    let keyID: KeyID?
    /// The issuer that the payload names, even if the URL is not valid; nil if it names none.
    let issuer: Issuer?
    /// The signature in either of its forms; nil if it has neither.
    let es256Signature: ES256Signature?

    /// The bytes of the signature; nil if there is none.
    var signature: [UInt8]? { parts.count == 3 ? parts[2].bytes : nil }

    /// The bytes that were signed: all up to the second dot.
    var signingInput: ArraySlice<UInt8>? { parts.count == 3 ? document.text[..<parts[1].range.upperBound] : nil }

    /// - Parameter maximumPayloadSize: the most bytes that the inflated payload may have.
    init(
        _ document: Document, kind: InputForm, isCut: Bool = false, settings: LintSettings, inflater: Inflater,
        maximumPayloadSize: Int = Bounds.payloadSize
    ) {
        self.document = document
        self.kind = kind
        self.isCut = isCut
        let text = document.text
        var (dots, count): ([Int], Int) = ([], 0)
        let bytes = text.span
        var next = 0
        while let offset = bytes.extracting(next...).firstIndex(of: UInt8(ascii: ".")) {
            count += 1
            if count <= 3 { dots.append(next + offset) }
            next += offset + 1
        }
        partCount = count + 1
        let ends = dots + [text.count]
        let starts = [0] + dots.prefix(2).map { $0 + 1 }
        parts = zip(starts, ends).map { Self.part(text[$0..<$1]) }
        header = parts.first.flatMap { part in
            part.bytes.count <= Bounds.headerSize ? HeaderSubject(part.bytes, of: document) : nil
        }
        keyID = header?.value?["kid"].flatMap { KeyID($0) }
        guard parts.count > 1 else {
            compression = nil
            payload = nil
            issuer = nil
            es256Signature = nil
            return
        }
        let (inflated, error) = Self.inflated(parts[1].bytes, inflater: inflater, limit: maximumPayloadSize)
        compression = error.map { .other($0) } ?? .raw
        payload = inflated.map { inflated in
            PayloadSubject(inflated, source: document.source, card: document.card, settings: settings)
        }
        issuer = payload?.claims?.issuer.map { Issuer(unchecked: $0) }
        es256Signature =
            parts.count == 3
            ? (try? ES256Signature(parts[2].bytes)) ?? (try? ES256Signature(der: parts[2].bytes)) : nil
    }

    private static func part(_ text: ArraySlice<UInt8>) -> Part {
        do throws(Base64Error) {
            return Part(range: text.indices, bytes: try Base64URL.decode(text), error: nil)
        } catch {
            return Part(range: text.indices, bytes: Base64URL.decodeLeniently(text), error: error)
        }
    }

    /// Inflates the payload. If it is not raw DEFLATE, tries what it seems to be instead, and returns the error as
    /// well.
    private static func inflated(
        _ bytes: [UInt8], inflater: Inflater, limit: Int
    ) -> ([UInt8]?, InflateError?) {
        do throws(InflateError) {
            return (try inflater.inflate(bytes, maximumSize: limit), nil)
        } catch {
            let inside: [UInt8]? =
                switch error.reason {
                // Two bytes before the stream and a checksum of four after it (RFC 1950 §2.2).
                case .zlibWrapper: try? inflater.inflate(Array(bytes.dropFirst(2).dropLast(4)), maximumSize: limit)
                // Ten bytes before it if there is no file name, and eight after it (RFC 1952 §2.3).
                case .gzipWrapper: try? inflater.inflate(Array(bytes.dropFirst(10).dropLast(8)), maximumSize: limit)
                case .notCompressed: bytes.count <= limit ? bytes : nil
                case .trailingBytes(let count): try? inflater.inflate(bytes.dropLast(count), maximumSize: limit)
                default: nil
                }
            return (inside, error)
        }
    }
}

/// The header of a JWS.
struct HeaderSubject: Sendable {
    let document: Document
    /// The header's JSON, or why it cannot be read.
    let json: Result<JSONValue, JSONError>
    /// The header; nil if it is not JSON.
    let value: JSONValue?

    init(_ bytes: [UInt8], of jws: Document) {
        json = Result { () throws(JSONError) in try JSONDocument.parse(bytes, maximumDepth: Bounds.nesting) }
        value = try? json.get()
        document = Document(source: jws.source, card: jws.card, layer: .header, text: bytes, root: value)
    }
}
