package import Credentials
package import Cryptography
package import Encodings
package import FHIR

/// A presented certificate after its form was examined.
///
/// If the form is correct, it contains the certificate to verify. If not, it contains the failure and what could be read.
package final class ExaminedHCERT: ExaminedCredential {
    /// The certificate as it was presented.
    package let presented: PresentedCredential
    /// The decoded certificate; nil if it cannot be decoded.
    package let decoded: DecodedHCERT?
    /// The certificate, or the first error in its form.
    package let form: Result<UnverifiedHCERT, VerificationFailure>
    /// The number of bytes to subtract from a budget for inflated payloads.
    package let spentSize: Int

    /// Examines a certificate's form.
    ///
    /// - Parameters:
    ///   - presented: the certificate.
    ///   - inflater: inflates zlib streams.
    ///   - maximumSize: the largest size of the inflated octets, in bytes.
    package init(_ presented: PresentedCredential, inflater: Inflater, maximumSize: Int = Bounds.payloadSize) {
        self.presented = presented
        var spent = 0
        do throws(VerificationFailure) {
            let decoded = try DecodedHCERT(
                presented.text.get(), inflater: inflater, maximumSize: maximumSize, spent: &spent)
            self.decoded = decoded
            form = Result { () throws(VerificationFailure) in try UnverifiedHCERT(decoded) }
        } catch {
            decoded = nil
            form = .failure(error)
        }
        spentSize = spent
    }

    /// The size of the octets after inflating, in bytes. In memory, a certificate takes several times this size.
    package var size: Int { decoded?.octets.count ?? 0 }
}

/// If the form is correct, the claims are those of the examined certificate, else those that can be read leniently.
extension ExaminedHCERT: Claims {
    package var claims: (any Claims)? { decoded == nil ? nil : self }
    package var sourceType: String { kind.sourceType }

    /// The kind of the content; that of EU certificates if it is not known.
    package var kind: HealthContentKind { decoded?.content?.kind ?? DCC.kind }
    package var trustWithoutKey: IssuerTrust { .untrusted }
    package var signed: SignedOctets? {
        decoded.map { SignedOctets(octets: $0.message.parts.signedBytes, envelope: Array($0.octets), form: .cose) }
    }

    private var unverified: UnverifiedHCERT? { try? form.get() }
    private var payload: CBORValue? { decoded?.payload }

    /// Claim 1, as it stands.
    package var issuer: UTF8Text? {
        unverified?.claims.issuer ?? payload?[CWTClaims.Claim.issuer]?.text.map { UTF8Text(decoding: $0) }
    }
    /// The name of the organisation that issued the certificate, of an EU certificate.
    package var issuerName: UTF8Text? { content?.issuerName }
    /// The key ID in base64.
    package var keyID: UTF8Text? { decoded.map { UTF8Text(KeyLabel.text(of: $0.message.keyID)) } }
    package var issued: NumericDate? {
        unverified?.claims.issued ?? payload.flatMap { CWTClaims.lenientDate($0, CWTClaims.Claim.issued) }
    }
    package var expires: NumericDate? {
        unverified?.claims.expires ?? payload.flatMap { CWTClaims.lenientDate($0, CWTClaims.Claim.expires) }
    }
    package var types: [UTF8Text] { [] }
    package var fhirVersion: UTF8Text? { nil }
    package var fhirBundle: JSONValue? { nil }
    /// The content (in claim -260) as JSON; nil for a link, in which the key is.
    package var healthContent: JSONValue? {
        guard let found = decoded?.content, found.kind.isShown else { return nil }
        return found.value.json
    }

    package var storableBundle: JSONValue? { content?.storableBundle }
    package var holderIdentity: [UInt8]? { content?.holderIdentity }

    private var content: (any HealthContent)? { unverified?.content }
    /// The link that the certificate vouches for, if its form is correct; nil if it is of another kind.
    package var link: WrappedLink? { content?.link }

    package func contents(names: CodeNames, at moment: NumericDate) -> CardContents? {
        content?.contents(names: names, at: moment)
    }
}

/// Key IDs in reports and messages.
package enum KeyLabel {
    /// A key ID in base64. A long one is cut.
    package static func text(of keyID: [UInt8]) -> String {
        let shown = 64
        return Base64.encode(keyID.prefix(shown)) + (keyID.count > shown ? "…" : "")
    }

    /// A key ID for messages: as reports show it, in quotes.
    package static func quoted(_ keyID: [UInt8]) -> String { text(of: keyID).quoted() }

    /// Whether a text is a key ID as reports show it, in either alphabet of base64 and with or without padding.
    package static func matches(_ text: String, _ shown: String) -> Bool {
        let plain = { (text: String) in
            Base64URL.inItsAlphabet(Array(text.utf8)).filter { $0 != UInt8(ascii: "=") }
        }
        return plain(text) == plain(shown)
    }
}
