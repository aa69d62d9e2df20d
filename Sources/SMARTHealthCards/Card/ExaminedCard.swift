package import Credentials
package import Cryptography
package import Encodings

/// A presented card after its form was examined.
///
/// If the form is correct, it contains the card to verify. If not, it contains the failure and the parts that could be read.
///
/// It is a class because it is passed from step to step, and copying its content would cost more than some of the steps.
package final class ExaminedCard: ExaminedCredential {
    /// The card as it was presented.
    package let presented: PresentedCredential
    /// The decoded card; nil if it cannot be decoded.
    package let decoded: DecodedCard?
    /// The card, or the first error in its form.
    package let card: Result<UnverifiedCard, VerificationFailure>
    /// The number of bytes to subtract from a budget for inflated payloads.
    package let spentPayloadSize: Int

    /// Examines a card's form.
    ///
    /// - Parameters:
    ///   - presented: the card.
    ///   - inflater: inflates the payload.
    ///   - maximumPayloadSize: the largest size of the inflated payload, in bytes.
    package convenience init(
        _ presented: PresentedCredential, inflater: Inflater, maximumPayloadSize: Int = Bounds.payloadSize
    ) {
        self.init(presented, inflater: inflater, maximumPayloadSize: maximumPayloadSize, recent: nil)
    }

    /// Examines a card's form.
    ///
    /// - Parameter recent: parts of earlier cards, parsed.
    init(_ presented: PresentedCredential, inflater: Inflater, maximumPayloadSize: Int, recent: ParseCache?) {
        self.presented = presented
        var spent = 0
        do throws(VerificationFailure) {
            let decoded = try DecodedCard(
                jws: presented.text.get(), inflater: inflater, maximumPayloadSize: maximumPayloadSize, spent: &spent,
                recent: recent)
            self.decoded = decoded
            card = Result { () throws(VerificationFailure) in try UnverifiedCard(decoded, recent: recent) }
        } catch {
            decoded = nil
            card = .failure(error)
        }
        spentPayloadSize = spent
    }
}

extension ExaminedCard {
    /// The issuer, if nothing is wrong with its URL but a slash at its end. Then the card is judged only by a policy that trusts the issuer
    /// by exactly this name.
    var slashedIssuer: Issuer? {
        let issuer = (try? card.get())?.issuer ?? decoded?.claims.issuer.flatMap { try? Issuer(inCard: $0) }
        return issuer?.endsWithSlash == true ? issuer : nil
    }

    /// The first error in the card's form, for a policy that trusts no issuer whose URL ends with a slash.
    var strictFailure: VerificationFailure? {
        if let slashedIssuer { return slashedIssuer.slashFailure }
        guard case .failure(let failure) = card else { return nil }
        return failure
    }
}

extension Issuer {
    /// The failure of a card whose issuer has this URL, unless the URL is valid.
    fileprivate var slashFailure: VerificationFailure? {
        let checked = Result { () throws(VerificationFailure) in try Issuer(url) }
        return if case .failure(let failure) = checked { failure } else { nil }
    }
}

/// If the form is correct, the claims are those of the examined card, else those that can be read leniently.
extension ExaminedCard: Claims {
    package var claims: (any Claims)? { decoded == nil ? nil : self }
    package var sourceType: String { "smart-health-card" }
    package var signed: SignedOctets? {
        decoded.map { SignedOctets(octets: Array($0.jws.signingInput), envelope: $0.jws.text, form: .jose) }
    }

    package var issuer: UTF8Text? { decoded?.claims.issuer }
    package var keyID: UTF8Text? { decoded?.header.value["kid"]?.string }
    package var issued: NumericDate? { (try? card.get())?.issued ?? decoded?.claims.issued }
    package var expires: NumericDate? { (try? card.get())?.expires ?? decoded?.claims.expires }
    package var types: [UTF8Text] { (try? card.get())?.types ?? decoded?.claims.types ?? [] }
    package var fhirVersion: UTF8Text? { (try? card.get())?.fhirVersion ?? decoded?.claims.fhirVersion }
    package var fhirBundle: JSONValue? { decoded?.claims.fhirBundle }
}
