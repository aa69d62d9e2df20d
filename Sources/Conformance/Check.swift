/// What a rule looks at, and how it finds departures.
enum Check: Sendable {
    /// An input as a whole, whatever it is.
    case input(@Sendable (InputSubject) -> [Problem])
    /// The JSON of a `.smart-health-card` file, or of a deep link's fragment.
    case file(@Sendable (JSONSubject) -> [Problem])
    /// The JSON of a FHIR `Parameters` resource.
    case parameters(@Sendable (JSONSubject) -> [Problem])
    /// A deep link.
    case deepLink(@Sendable (DeepLinkSubject) -> [Problem])
    /// The text of one QR code.
    case qrCode(@Sendable (QRCodeSubject) -> [Problem])
    /// The QR codes that one card was split over.
    case qrSet(@Sendable (QRSetSubject) -> [Problem])
    /// A compact JWS.
    case jws(@Sendable (JWSSubject) -> [Problem])
    /// The header of a JWS.
    case header(@Sendable (HeaderSubject) -> [Problem])
    /// A payload that has been inflated, or an input that is one.
    case payload(@Sendable (PayloadSubject) -> [Problem])
    /// A FHIR Bundle.
    case bundle(@Sendable (BundleSubject) -> [Problem])
    /// A key set.
    case keySet(@Sendable (KeySetSubject) -> [Problem])
    /// One key of a set.
    case key(@Sendable (KeySubject) -> [Problem])
    /// A card revocation list.
    case revocationList(@Sendable (RevocationListSubject) -> [Problem])
    /// A directory of issuers.
    case directory(@Sendable (DirectorySubject) -> [Problem])
    /// A card and what is known of its issuer: keys, signature, trust, dates, revocation.
    case card(@Sendable (CardSubject) -> [Problem])
    /// What a live issuer's server answered.
    case issuer(@Sendable (IssuerSubject) -> [Problem])

    /// What it looks at, in words.
    var subject: String {
        switch self {
        case .input: "any input"
        case .file: ".smart-health-card file"
        case .parameters: "FHIR Parameters"
        case .deepLink: "deep link"
        case .qrCode: "QR code"
        case .qrSet: "QR codes of one card"
        case .jws: "compact JWS"
        case .header: "JWS header"
        case .payload: "payload"
        case .bundle: "FHIR Bundle"
        case .keySet: "key set"
        case .key: "key"
        case .revocationList: "revocation list"
        case .directory: "directory"
        case .card: "card and issuer"
        case .issuer: "live issuer"
        }
    }
}
