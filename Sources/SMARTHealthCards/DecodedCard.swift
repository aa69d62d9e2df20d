public import Deflate
public import JOSE
import JSON

/// A card taken apart: header, payload and signature. Its claims have not been looked at.
public struct DecodedCard: Sendable {
    /// The JWS with the bytes that are signed.
    public let jws: CompactJWS
    /// The JWS header.
    public let header: JOSEHeader
    /// The payload's members.
    public let claims: CardClaims

    /// Takes a compact JWS apart, inflates its payload and parses it, once for all that follows.
    ///
    /// - Throws: `VerificationFailure` of exit code 10.
    public init(jws text: [UInt8], inflater: Inflater) throws(VerificationFailure) {
        do throws(JWSError) {
            jws = try CompactJWS(text)
            header = try JOSEHeader(jws.headerBytes)
        } catch {
            throw VerificationFailure(error)
        }
        claims = CardClaims(payload: try Self.payload(jws.payload, inflater: inflater))
    }

    /// Inflates a payload and parses the JSON in it.
    static func payload(_ compressed: [UInt8], inflater: Inflater) throws(VerificationFailure) -> JSONValue {
        let inflated: [UInt8]
        do throws(InflateError) {
            inflated = try inflater.inflate(compressed, maximumSize: Bounds.payloadSize)
        } catch {
            throw VerificationFailure(error)
        }
        let payload: JSONValue
        do throws(JSONError) {
            payload = try JSONDocument.parse(inflated, maximumDepth: Bounds.nesting)
        } catch {
            throw VerificationFailure(.malformedPayload, "the payload is not acceptable JSON: \(error)")
        }
        guard payload.kind == .object else {
            throw VerificationFailure(
                .malformedPayload, "the payload is a JSON object, and here it is of type \(payload.kind.rawValue)")
        }
        return payload
    }
}
