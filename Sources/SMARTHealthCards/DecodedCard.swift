import Deflate
public import JOSE
import JSON

/// A card taken apart: header, payload and signature. Its claims have not been looked at.
public final class DecodedCard: Sendable {
    /// The JWS with the bytes that are signed.
    public let jws: CompactJWS
    /// The JWS header.
    public let header: JOSEHeader
    /// The payload's members.
    public let claims: CardClaims

    /// Takes a compact JWS apart, inflates its payload and parses it, once for all that follows.
    ///
    /// - Parameters:
    ///   - text: the JWS and nothing else.
    ///   - inflater: what inflates the payload.
    ///   - maximumPayloadSize: how many bytes the payload may have, inflated.
    ///   - spent: is set to how much of what a run may spend on payloads it took, also where it fails.
    ///   - recent: what earlier cards had alike.
    /// - Throws: `VerificationFailure` of exit code 10.
    init(
        jws text: [UInt8], inflater: Inflater, maximumPayloadSize: Int, spent: inout Int, recent: RecentForms?
    ) throws(VerificationFailure) {
        var known: JOSEHeader?
        jws = try Self.compactJWS(text) { headerText in
            known = recent?.header(headerText)
            // The text that was parsed is the whole header.
            return known?.value.text
        }
        do throws(JWSError) {
            header = if let known { known } else { try JOSEHeader(jws.headerBytes) }
        } catch {
            throw VerificationFailure(error)
        }
        if known == nil { recent?.keep(header, of: jws) }
        claims = CardClaims(
            payload: try Self.payload(
                jws.payload, inflater: inflater, maximumSize: maximumPayloadSize, spent: &spent))
    }

    /// Takes a compact JWS apart, within bounds.
    static func compactJWS(
        _ text: [UInt8], knownHeader: (ArraySlice<UInt8>) -> [UInt8]? = { _ in nil }
    ) throws(VerificationFailure) -> CompactJWS {
        guard text.count <= Bounds.jwsSize else {
            throw VerificationFailure(
                .malformedJWS, "the JWS is longer than \(Bounds.jwsSize) characters; no card's is")
        }
        let jws: CompactJWS
        do throws(JWSError) {
            jws = try CompactJWS(text, knownHeader: knownHeader)
        } catch {
            throw VerificationFailure(error)
        }
        guard jws.headerBytes.count <= Bounds.headerSize else {
            throw VerificationFailure(
                .malformedJWS, "the JWS header is larger than \(Bounds.headerSize) bytes; no card's is")
        }
        return jws
    }

    /// Inflates a payload and parses the JSON in it.
    static func payload(
        _ compressed: [UInt8], inflater: Inflater, maximumSize: Int
    ) throws(VerificationFailure) -> JSONValue {
        var spent = 0
        return try payload(compressed, inflater: inflater, maximumSize: maximumSize, spent: &spent)
    }

    /// No more than this comes out of a byte of DEFLATE.
    private static let maximumInflation = 1032
    /// By how much it is cheaper to inflate bytes than to parse them as well, with a good margin.
    private static let parsingShare = 16

    private static func payload(
        _ compressed: [UInt8], inflater: Inflater, maximumSize: Int, spent: inout Int
    ) throws(VerificationFailure) -> JSONValue {
        let inflated: [UInt8]
        do throws(InflateError) {
            inflated = try inflater.inflate(compressed, maximumSize: maximumSize)
            spent = inflated.count
        } catch {
            // How far it went is not known, only how far it can have gone; and nothing is parsed.
            spent = min(maximumSize, compressed.count * maximumInflation) / parsingShare
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
