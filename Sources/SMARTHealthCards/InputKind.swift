/// The forms in which a person holds a card.
public enum InputKind: String, Sendable {
    /// A `.smart-health-card` file (SHC "Every Health Card can be embedded in a file").
    case file
    /// One compact JWS.
    case jws
    /// The text of one or several QR codes.
    case qr
    /// The FHIR `Parameters` that `$health-cards-issue` returns.
    case parameters
    /// A URL whose fragment is the file's JSON.
    case deeplink
}
