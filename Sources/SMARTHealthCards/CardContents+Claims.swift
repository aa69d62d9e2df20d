public import FHIR

extension CardContents {
    /// What the card says it records, true or not; nil if it has no Bundle.
    public init?(_ claims: CardClaims, names: CodeNames) {
        guard let bundle = claims.fhirBundle else { return nil }
        self.init(
            FHIRBundle(bundle), fhirVersion: claims.fhirVersion, names: names)
    }
}
