package import Credentials
package import Cryptography
package import Encodings

/// The text of a card (a compact JWS), read as far as possible: a broken part does not hide the others.
///
/// A verdict needs only the first defect, at which `DecodedCard` stops. `lint` and `inspect` show this.
package final class CardReading: Sendable {
    /// One of the parts between the dots.
    package struct Part: Sendable {
        /// The range of the part in the text.
        package let range: Range<Int>
        /// The decoded bytes. If there is an error, they are decoded as well as possible.
        package let bytes: [UInt8]
        /// Why the part is not base64url, with an offset from the start of the part; nil if it is.
        package let error: Base64Error?

        fileprivate init(_ text: ArraySlice<UInt8>) {
            range = text.indices
            do throws(Base64Error) {
                bytes = try Base64URL.decode(text)
                error = nil
            } catch {
                bytes = Base64URL.decodeLeniently(text)
                self.error = error
            }
        }
    }

    /// The text.
    package let text: [UInt8]
    /// The parts, at most the first three.
    package let parts: [Part]
    /// How many parts there are. A compact JWS has three.
    package let partCount: Int
    /// The JSON of the header; nil if that is too large.
    package let header: JSONReading?
    /// Why the payload is not raw DEFLATE; nil if it is, or if there is none.
    package let compressionError: InflateError?
    /// The JSON of the payload; nil if that cannot be inflated.
    package let payload: JSONReading?
    /// The key ID that the header names; nil if it names none.
    package let keyID: KeyID?
    /// The signature in either of its forms; nil if it has neither.
    package let es256Signature: ES256Signature?

    /// Reads a text.
    ///
    /// - Parameters:
    ///   - text: the JWS, without white space around it.
    ///   - inflater: inflates raw DEFLATE.
    ///   - maximumPayloadSize: the largest size of the inflated payload, in bytes.
    package init(_ text: [UInt8], inflater: Inflater, maximumPayloadSize: Int = Bounds.payloadSize) {
        self.text = text
        var (dots, count): ([Int], Int) = ([], 0)
        let bytes = text.span
        var next = 0
        while let offset = bytes.extracting(next...).firstIndex(of: UInt8(ascii: ".")) {
            count += 1
            if count <= 3 { dots.append(next + offset) }
            next += offset + 1
        }
        partCount = count + 1
        parts = zip([0] + dots.prefix(2).map { $0 + 1 }, dots + [text.count]).map { Part(text[$0..<$1]) }
        header = parts.first.flatMap { part in
            part.bytes.count <= Bounds.headerSize ? JSONReading(part.bytes, maximumDepth: Bounds.nesting) : nil
        }
        keyID = header?.value?["kid"].flatMap { KeyID($0) }
        es256Signature =
            parts.count == 3
            ? (try? ES256Signature(parts[2].bytes)) ?? (try? ES256Signature(der: parts[2].bytes)) : nil
        guard parts.count > 1 else {
            (payload, compressionError) = (nil, nil)
            return
        }
        let inflated = inflater.inflateDespiteErrors(parts[1].bytes, maximumSize: maximumPayloadSize, raw: inflater)
        compressionError = inflated.error
        payload = inflated.result.map { JSONReading($0, maximumDepth: Bounds.nesting) }
    }

    /// The bytes of the signature; nil if there is none.
    package var signature: [UInt8]? { parts.count == 3 ? parts[2].bytes : nil }

    /// The bytes that were signed: all up to the second dot.
    package var signingInput: ArraySlice<UInt8>? { parts.count == 3 ? text[..<parts[1].range.upperBound] : nil }
}

/// The claims of a payload, read leniently: a member that is missing or has the wrong type is nil.
///
/// Claims are not verified facts. Reports also show them for a card that failed, so that its holder learns why.
package struct CardClaims: Claims {
    /// The payload.
    package let payload: JSONValue

    /// Reads the claims of a payload.
    package init(payload: JSONValue) {
        self.payload = payload
    }

    /// The issuer's URL (`iss`).
    package var issuer: UTF8Text? { payload["iss"]?.string }
    /// Always nil: the JWS header names the key, not the payload.
    package var keyID: UTF8Text? { nil }
    /// When the card was issued (`nbf`).
    package var issued: NumericDate? { payload["nbf"]?.number.flatMap { NumericDate($0) } }
    /// When the card expires (`exp`).
    package var expires: NumericDate? { payload["exp"]?.number.flatMap { NumericDate($0) } }
    /// The strings in `vc.type`.
    package var types: [UTF8Text] { credential?["type"]?.elements?.compactMap(\.string) ?? [] }
    /// The identifier of the card in revocation lists (`vc.rid`).
    package var revocationID: UTF8Text? { credential?["rid"]?.string }
    /// The FHIR version (`vc.credentialSubject.fhirVersion`).
    package var fhirVersion: UTF8Text? { subject?["fhirVersion"]?.string }
    /// The FHIR Bundle (`vc.credentialSubject.fhirBundle`); nil if it is not an object.
    package var fhirBundle: JSONValue? {
        subject?["fhirBundle"].flatMap { $0.kind == .object ? $0 : nil }
    }

    private var credential: JSONValue? { payload["vc"] }
    private var subject: JSONValue? { credential?["credentialSubject"] }
}

extension CredentialInspection {
    /// Decodes a card as far as possible.
    ///
    /// - Parameters:
    ///   - examined: the card, after its form was examined.
    ///   - inflater: inflates the payload.
    package init(_ examined: ExaminedCard, inflater: Inflater) {
        let failure = examined.strictFailure
        let text = (try? examined.presented.text.get()).flatMap { $0.count <= Bounds.jwsSize ? $0 : nil }
        let reading = text.map { text in
            CardReading(
                text, inflater: inflater,
                maximumPayloadSize: failure?.code == .payloadTooLarge ? 0 : Bounds.payloadSize)
        }
        self.init(
            presented: examined.presented, header: reading?.header?.value, payload: reading?.payload?.value,
            signatureLength: reading?.signature?.count, failure: failure)
    }
}
