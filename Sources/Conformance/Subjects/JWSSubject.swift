import Deflate
import JOSE
import JSON
import SMARTHealthCards

/// A compact JWS, taken apart as far as it goes: what is wrong with one part does not hide the others.
struct JWSSubject: Sendable {
    /// One of the three parts.
    struct Part: Sendable {
        /// Where it stands in the text.
        let range: Range<Int>
        /// Its bytes, as well as they can be made out; the exact ones where there is no error.
        let bytes: [UInt8]
        /// Why it is not base64url; offsets count from the start of the part.
        let error: Base64Error?
    }

    /// What the bytes of the payload turned out to be.
    enum Compression: Sendable {
        /// Raw DEFLATE, as it should be.
        case raw
        /// Something else that could be read all the same, or could not.
        case other(InflateError)
    }

    let document: Document
    /// The form that the card came in.
    let kind: InputKind
    /// Whether the text is known to have been cut off, so that there is nothing to say about its end.
    let isCut: Bool
    /// The parts between the dots, the first three at most.
    let parts: [Part]
    /// How many parts there are; a compact JWS has three.
    let partCount: Int
    /// The header; nil if there is none that could be decoded.
    let header: HeaderSubject?
    /// How the payload is compressed; nil if there is no payload.
    let compression: Compression?
    /// The payload inflated; nil if it could not be.
    let payload: PayloadSubject?

    /// The bytes of the signature; nil if there is none.
    var signature: [UInt8]? { parts.count == 3 ? parts[2].bytes : nil }

    /// The bytes that were signed: all up to the second dot.
    var signingInput: ArraySlice<UInt8>? { parts.count == 3 ? document.text[..<parts[1].range.upperBound] : nil }

    /// - Parameter maximumPayloadSize: how many bytes the payload may have, inflated.
    init(
        _ document: Document, kind: InputKind, isCut: Bool = false, policy: LintPolicy, inflater: Inflater,
        maximumPayloadSize: Int = Bounds.payloadSize
    ) {
        self.document = document
        self.kind = kind
        self.isCut = isCut
        let text = document.text
        let pieces = text[...].split(separator: UInt8(ascii: "."), maxSplits: 3, omittingEmptySubsequences: false)
        partCount = pieces.count > 3 ? text.count { $0 == UInt8(ascii: ".") } + 1 : pieces.count
        parts = pieces.prefix(3).map { Self.part($0) }
        header = parts.first.flatMap { part in
            part.bytes.count <= Bounds.headerSize ? HeaderSubject(part.bytes, of: document) : nil
        }
        guard parts.count > 1 else {
            compression = nil
            payload = nil
            return
        }
        let (inflated, error) = Self.inflated(parts[1].bytes, inflater: inflater, limit: maximumPayloadSize)
        compression = error.map { .other($0) } ?? .raw
        payload = inflated.map { inflated in
            PayloadSubject(inflated, source: document.source, card: document.card, policy: policy)
        }
    }

    private static func part(_ text: ArraySlice<UInt8>) -> Part {
        do throws(Base64Error) {
            return Part(range: text.indices, bytes: try Base64URL.decode(text), error: nil)
        } catch {
            return Part(range: text.indices, bytes: Base64URL.decodeLeniently(text), error: error)
        }
    }

    /// Inflates the payload, and where it is not raw DEFLATE, what it seems to be instead.
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
                // Ten bytes before it, where there is no name, and eight after it (RFC 1952 §2.3).
                case .gzipWrapper: try? inflater.inflate(Array(bytes.dropFirst(10).dropLast(8)), maximumSize: limit)
                case .notCompressed: bytes.count <= limit ? bytes : nil
                case .trailingBytes(let count): try? inflater.inflate(bytes.dropLast(count), maximumSize: limit)
                default: nil
                }
            return (inside, error)
        }
    }
}
