import FHIR
import SMARTHealthCards

extension CardContents {
    /// How many entries of a Bundle a report looks at. No real card comes near; the Bundle itself is always printed whole.
    private static let maximumEntries = 10_000

    /// What the card says it records; nil where it has no Bundle.
    init?(_ claims: CardClaims) {
        guard let bundle = claims.fhirBundle else { return nil }
        self.init(FHIRBundle(bundle, maximumEntries: Self.maximumEntries), fhirVersion: claims.fhirVersion)
    }
}
