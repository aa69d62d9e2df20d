import FHIR
import SMARTHealthCards

extension CardContents {
    /// What the card says it records; nil where it has no Bundle.
    init?(_ claims: CardClaims) {
        guard let bundle = claims.fhirBundle else { return nil }
        self.init(FHIRBundle(bundle), fhirVersion: claims.fhirVersion)
    }
}
