/// One rule of the specification, and the check that finds departures from it.
///
/// The rules of one subject are in one file below `Rules`, and all of them are in `Rule.all`.
public final class Rule: Sendable {
    /// The code of the findings, such as `schema-error`. Several rules may share one.
    public let code: String
    /// The name, such as `nbf`, which no other rule with the same code has.
    public let name: String
    /// The severity of a departure, unless a finding has its own.
    public let severity: Severity
    /// The source of the rule.
    public let citation: Citation
    /// What is required, in one or two sentences.
    public let requirement: String
    /// How to correct a departure: an instruction.
    public let remedy: String
    let check: RuleCheck

    /// Code and name: `schema-error/nbf`.
    public var id: String { "\(code)/\(name)" }

    /// What the rule checks, in words.
    public var subject: String { check.subject }

    init(
        _ code: String, _ name: String, _ citation: Citation, severity: Severity = .error, requirement: String,
        remedy: String, check: RuleCheck
    ) {
        self.code = code
        self.name = name
        self.severity = severity
        self.citation = citation
        self.requirement = requirement
        self.remedy = remedy
        self.check = check
    }

    /// All rules, from the outside of a card to its inside, then those of what issuers publish. The order is that of
    /// the findings in reports.
    public static let all: [Rule] =
        inputRules + servedCardRules + carrierRules + linkRules + jwsRules + payloadRules + bundleRules + cardRules
        + keyRules
        + revocationRules
        + directoryRules + issuerRules + hcertRules + trustListRules
}

/// What a rule checks, and how it finds departures.
enum RuleCheck: Sendable {
    /// An input as a whole, whatever it is.
    case input(@Sendable (InputSubject) -> [Problem])
    /// A card file on a server.
    case servedCard(@Sendable (ServedCardSubject) -> [Problem])
    /// The JSON of a `.smart-health-card` file, or of a deep link's fragment.
    case file(@Sendable (JSONSubject) -> [Problem])
    /// The JSON of a FHIR `Parameters` resource.
    case parameters(@Sendable (JSONSubject) -> [Problem])
    /// A deep link.
    case deepLink(@Sendable (DeepLinkSubject) -> [Problem])
    /// A SMART Health Link.
    case link(@Sendable (HealthLinkSubject) -> [Problem])
    /// The text of one QR code.
    case qrCode(@Sendable (QRCodeSubject) -> [Problem])
    /// The QR symbol that carries a text.
    case qrSymbol(@Sendable (QRSymbolSubject) -> [Problem])
    /// The QR codes of one split card.
    case qrSet(@Sendable (QRSetSubject) -> [Problem])
    /// A compact JWS.
    case jws(@Sendable (JWSSubject) -> [Problem])
    /// The header of a JWS.
    case header(@Sendable (HeaderSubject) -> [Problem])
    /// A payload, from a JWS or as an input of its own.
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
    /// A card, and what is known of its issuer: keys, trust and revocation lists.
    case card(@Sendable (CardSubject) -> [Problem])
    /// The answers of a live issuer's server.
    case issuer(@Sendable (IssuerSubject) -> [Problem])
    /// The text or the octets of an EU Digital COVID Certificate.
    case hcertText(@Sendable (HCERTSubject) -> [Problem])
    /// The COSE message of a certificate.
    case cose(@Sendable (COSESubject) -> [Problem])
    /// The claims of a certificate.
    case hcertPayload(@Sendable (HCERTPayloadSubject) -> [Problem])
    /// The content of a certificate.
    case dcc(@Sendable (DCCSubject) -> [Problem])
    /// The content of a vaccination certificate of WHO's (ICVP).
    case icvp(@Sendable (ICVPSubject) -> [Problem])
    /// A certificate, and what is known of its signer.
    case hcert(@Sendable (SignedHCERTSubject) -> [Problem])
    /// WHO's list of signers.
    case trustList(@Sendable (TrustListSubject) -> [Problem])

    /// What is checked, in words.
    var subject: String {
        switch self {
        case .input: "any input"
        case .servedCard: "card file on a server"
        case .file: ".smart-health-card file"
        case .parameters: "FHIR Parameters"
        case .deepLink: "deep link"
        case .link: "SMART Health Link"
        case .qrCode: "QR code"
        case .qrSymbol: "QR symbol on a picture"
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
        case .hcertText: "health certificate's text"
        case .cose: "COSE message"
        case .hcertPayload: "health certificate's claims"
        case .dcc: "EU certificate's content"
        case .icvp: "ICVP's content"
        case .hcert: "health certificate and signer"
        case .trustList: "WHO's trust list"
        }
    }
}
