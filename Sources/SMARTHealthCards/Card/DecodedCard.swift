import Credentials
package import Cryptography
import Encodings

/// A decoded card: header, payload and signature. Its claims have not been examined.
package final class DecodedCard: Sendable {
    /// The JWS, with the bytes that are signed.
    package let jws: CompactJWS
    /// The JWS header.
    package let header: JOSEHeader
    /// The claims in the payload.
    package let claims: CardClaims

    /// Decodes a compact JWS, and inflates and parses its payload.
    ///
    /// - Parameters:
    ///   - text: the JWS, without white space around it.
    ///   - inflater: inflates the payload.
    ///   - maximumPayloadSize: the largest size of the inflated payload, in bytes.
    ///   - spent: set to the number of bytes to subtract from the run's budget for payloads, even if decoding fails.
    ///   - recent: parts of earlier cards, parsed.
    /// - Throws: `VerificationFailure` with exit code 10.
    init(
        jws text: [UInt8], inflater: Inflater, maximumPayloadSize: Int, spent: inout Int, recent: ParseCache?
    ) throws(VerificationFailure) {
        var known: JOSEHeader?
        jws = try Self.compactJWS(text) { headerText in
            known = recent?.headers.value(for: headerText)
            // The text of the header's value is the whole header: nothing else was parsed with it.
            return known?.value.text
        }
        do throws(JWSError) {
            header = if let known { known } else { try JOSEHeader(jws.headerBytes) }
        } catch {
            throw VerificationFailure(error)
        }
        if known == nil { recent?.headers.keep(header, for: jws.headerText) }
        claims = CardClaims(
            payload: try Self.payload(
                jws.payload, inflater: inflater, maximumSize: maximumPayloadSize, spent: &spent))
    }

    /// Decodes a compact JWS within `Bounds`, without its payload.
    ///
    /// - Parameter knownHeader: returns the decoded header if this base64url text was decoded before, else nil.
    static func compactJWS(
        _ text: [UInt8], knownHeader: (ArraySlice<UInt8>) -> [UInt8]? = { _ in nil }
    ) throws(VerificationFailure) -> CompactJWS {
        guard text.count <= Bounds.jwsSize else {
            throw VerificationFailure(
                .malformedJWS, "the JWS is longer than \(Bounds.jwsSize) characters, the limit for a card")
        }
        let jws = try Result { () throws(JWSError) in try CompactJWS(text, knownHeader: knownHeader) }
            .mapError { VerificationFailure($0) }.get()
        guard jws.headerBytes.count <= Bounds.headerSize else {
            throw VerificationFailure(
                .malformedJWS, "the JWS header is larger than \(Bounds.headerSize) bytes, the limit for a card")
        }
        return jws
    }

    /// Inflates a payload and parses its JSON.
    static func payload(
        _ compressed: [UInt8], inflater: Inflater, maximumSize: Int
    ) throws(VerificationFailure) -> JSONValue {
        var spent = 0
        return try payload(compressed, inflater: inflater, maximumSize: maximumSize, spent: &spent)
    }

    /// The largest number of bytes that one byte of DEFLATE can inflate to.
    private static let maximumInflation = 1032
    /// How many times cheaper inflating is than inflating and parsing, with a safety margin.
    private static let parsingShare = 16

    private static func payload(
        _ compressed: [UInt8], inflater: Inflater, maximumSize: Int, spent: inout Int
    ) throws(VerificationFailure) -> JSONValue {
        let inflated: [UInt8]
        do throws(InflateError) {
            inflated = try inflater.inflate(compressed, maximumSize: maximumSize)
            spent = inflated.count
        } catch {
            // The size that was inflated before the error is unknown, so count the largest possible size. Nothing was parsed.
            spent = min(maximumSize, compressed.count * maximumInflation) / parsingShare
            throw VerificationFailure(error)
        }
        let payload = try Result { () throws(JSONError) in
            try JSONDocument.parse(inflated, maximumDepth: Bounds.nesting)
        }.mapError { VerificationFailure(.malformedPayload, "the payload is not acceptable JSON: \($0)") }.get()
        guard payload.kind == .object else {
            throw VerificationFailure(
                .malformedPayload, "the payload must be a JSON object, but its type is \(payload.kind.rawValue)")
        }
        return payload
    }
}

extension VerificationFailure {
    /// The failure of a payload that cannot be inflated.
    init(_ error: InflateError) {
        switch error.reason {
        case .tooLarge: self.init(.payloadTooLarge, "the payload is too large: \(error)")
        default: self.init(.inflateFailed, "the payload cannot be inflated: \(error)")
        }
    }

    /// The failure of a JWS that is malformed or not supported.
    init(_ error: JWSError) {
        switch error.reason {
        case .malformed: self.init(.malformedJWS, error.message)
        case .unsupportedAlgorithm: self.init(.unsupportedAlgorithm, error.message)
        case .unsupportedCompression: self.init(.unsupportedCompression, error.message)
        }
    }
}
