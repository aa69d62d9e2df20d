/// The source of a rule: a fact of the specification, or a section of another standard.
public struct Citation: Sendable, Hashable {
    /// `SHC-K3`, or `RFC 7515 §4.1.11`.
    public let number: String
    /// The address of the text.
    public let url: String

    private init(_ number: String, _ url: String) {
        self.number = number
        self.url = url
    }

    /// A section of an RFC.
    static func rfc(_ number: Int, _ section: String) -> Citation {
        Citation("RFC \(number) §\(section)", "https://www.rfc-editor.org/rfc/rfc\(number)#section-\(section)")
    }

    /// A page of FHIR R4.
    static func fhir(_ page: String) -> Citation {
        Citation("FHIR R4 \(page)", "https://hl7.org/fhir/R4/\(page).html")
    }

    /// This tool's own limits, which no real card reaches.
    static let limits = Citation("shcverify limits", "https://spec.smarthealth.cards/#health-cards-are-compact")

    /// SMART Health Links.
    static let links = Citation(
        "SMART Health Links", "https://hl7.org/fhir/uv/smart-health-cards-and-links/links-specification.html")

    /// The SMART Health Cards: Vaccination & Testing implementation guide.
    static let vaccinationProfile = Citation(
        "SHC Vaccination & Testing", "http://hl7.org/fhir/uv/shc-vaccination/2021Sep/profiles.html")

    private static func shc(_ number: String, _ anchor: String) -> Citation {
        Citation("SHC-\(number)", "https://spec.smarthealth.cards/#\(anchor)")
    }

    private static let keys = "determining-keys-associated-with-an-issuer"

    /// The members of a signing key.
    static let k1 = shc("K1", keys)
    /// `kid` is the thumbprint.
    static let k2 = shc("K2", keys)
    /// No private member.
    static let k3 = shc("K3", keys)
    /// Where and how the key set is published.
    static let k4 = shc("K4", keys)
    /// The issuer's URL.
    static let k5 = shc("K5", keys)
    /// Other keys in the set.
    static let k6 = shc("K6", keys)
    /// Certificates of a key.
    static let k7 = shc("K7", keys)
    /// Trust by certificate.
    static let k8 = shc("K8", "certificates")
    /// The card's revocation identifier.
    static let r1 = shc("R1", "revocation")
    /// The revocation list.
    static let r2 = shc("R2", "revocation")
    /// An entry of the revocation list.
    static let r3 = shc("R3", "revocation")
    /// `crlVersion` and the list's counter.
    static let r4 = shc("R4", "revocation")
    /// Cards without an identifier.
    static let r5 = shc("R5", "revocation")
    /// Withdrawn keys and freshness.
    static let r6 = shc("R6", "key-management")
    /// The JWS and its header.
    static let j1 = shc("J1", "health-cards-are-compact")
    /// The payload is minified and compressed.
    static let j2 = shc("J2", "health-cards-are-compact")
    /// The signature's form.
    static let j3 = shc("J3", "signing-health-cards")
    private static let payload =
        "health-cards-are-encoded-as-compact-serialization-json-web-signatures-jws"
    /// The payload's members.
    static let p1 = shc("P1", payload)
    /// FHIR version and Bundle.
    static let p2 = shc("P2", payload)
    /// The dates compared with the current time.
    static let p3 = shc("P3", payload)
    /// Dates in milliseconds.
    static let p4 = shc("P4", payload)
    /// No `Resource.id`.
    static let b1 = shc("B1", "health-cards-are-compact")
    /// No `Resource.meta`.
    static let b2 = shc("B2", "health-cards-are-compact")
    /// No `DomainResource.text`.
    static let b3 = shc("B3", "health-cards-are-compact")
    /// No `CodeableConcept.text`.
    static let b4 = shc("B4", "health-cards-are-compact")
    /// No `Coding.display`.
    static let b5 = shc("B5", "health-cards-are-compact")
    /// Short `fullUrl`.
    static let b6 = shc("B6", "health-cards-are-compact")
    /// Short references.
    static let b7 = shc("B7", "health-cards-are-compact")
    /// The file.
    static let c1 = shc("C1", "via-file-download")
    /// The QR code.
    static let c2 = shc("C2", "encoding-qrs")
    /// Several QR codes.
    static let c3 = shc("C3", "chunking-larger-shcs-deprecated")
    /// The deep link.
    static let c4 = shc("C4", "via-deep-link")
    /// `$health-cards-issue`.
    static let c5 = shc("C5", "health-cards-issue-operation")

    private static let directory = "https://github.com/the-commons-project/vci-directory#readme"
    /// The list of issuers.
    static let d1 = Citation("SHC-D1", directory)
    /// The snapshot.
    static let d2 = Citation("SHC-D2", directory)
    /// The snapshot's signature.
    static let d3 = Citation("SHC-D3", directory)

    // MARK: EU Digital COVID Certificates

    private static let certificates =
        "https://github.com/WorldHealthOrganization/smart-trust/blob/main/input/pagecontent/hcert_spec.md#"
    private static let governance =
        "https://github.com/WorldHealthOrganization/smart-trust/blob/main/input/pagecontent/concepts_certificate_governance.md"
    private static let schema = "https://github.com/ehn-dcc-development/eu-dcc-schema"
    private static let identifiers =
        "https://ec.europa.eu/health/sites/health/files/ehealth/docs/vaccination-proof_interoperability-guidelines_en.pdf"
    private static let gateway = "https://github.com/eu-digital-green-certificates/dgc-gateway#readme"
    /// The context identifier and base45.
    static let hcertH1 = Citation("HCERT-H1", certificates + "422-qr-2d-barcode")
    /// The compression.
    static let hcertH2 = Citation("HCERT-H2", certificates + "421-payload-cwt-compression")
    /// The COSE message.
    static let hcertC1 = Citation("HCERT-C1", certificates + "32-structure-of-the-payload")
    /// The algorithm.
    static let hcertC2 = Citation("HCERT-C2", certificates + "332-signature-algorithm")
    /// The key ID.
    static let hcertC3 = Citation("HCERT-C3", certificates + "333-key-identifier")
    /// The signature.
    static let hcertS1 = Citation("HCERT-S1", certificates + "32-structure-of-the-payload")
    /// The claims.
    static let hcertP1 = Citation("HCERT-P1", certificates + "331-cwt-structure-overview")
    /// The dates.
    static let hcertP2 = Citation("HCERT-P2", certificates + "335-expiration-time")
    /// The claim hcert.
    static let hcertP3 = Citation("HCERT-P3", certificates + "337-health-certificate-claim")
    /// The expiry.
    static let hcertT1 = Citation("HCERT-T1", certificates + "335-expiration-time")
    /// The content.
    static let hcertP4 = Citation("HCERT-P4", schema)
    /// The name.
    static let hcertP5 = Citation("HCERT-P5", schema)
    /// The members of records.
    static let hcertP6 = Citation("HCERT-P6", schema)
    /// Dates in the content.
    static let hcertP7 = Citation("HCERT-P7", schema)
    /// The identifier.
    static let hcertP8 = Citation("HCERT-P8", identifiers)
    /// Signers and their key IDs.
    static let hcertK1 = Citation("HCERT-K1", certificates + "333-key-identifier")
    /// The keys of signers.
    static let hcertK2 = Citation("HCERT-K2", governance)
    /// The usages of signers.
    static let hcertK3 = Citation("HCERT-K3", governance)
    /// The validity of signers.
    static let hcertK4 = Citation("HCERT-K4", certificates + "5-trusted-list-format-dsc-list")
    /// The authorities of signers.
    static let hcertK5 = Citation("HCERT-K5", certificates + "5-trusted-list-format-dsc-list")
    /// Revocation.
    static let hcertR1 = Citation("HCERT-R1", gateway)

    // MARK: WHO's network

    private static let lists =
        "https://github.com/WorldHealthOrganization/smart-trust/blob/main/input/pagecontent/concepts_did_gdhcn.md"
    private static let contexts =
        "https://github.com/WorldHealthOrganization/smart-trust-network-gateway/tree/main/src/main/resources/did_contexts"
    private static let suite = "https://w3c.github.io/vc-jws-2020/"
    private static let canonicalSentences = "https://www.w3.org/TR/rdf-canon/"
    private static let didWeb = "https://w3c-ccg.github.io/did-method-web/"
    /// The members of a list.
    static let whoP1 = Citation("WHO-P1", lists)
    /// The contexts of a list.
    static let whoP2 = Citation("WHO-P2", contexts)
    /// The values in a list.
    static let whoP3 = Citation("WHO-P3", lists)
    /// What is signed.
    static let whoP6 = Citation("WHO-P6", canonicalSentences)
    /// The form of the signature.
    static let whoP7 = Citation("WHO-P7", suite)
    /// The members of the proof.
    static let whoP8 = Citation("WHO-P8", suite)
    /// Entries of one ID.
    static let whoP10 = Citation("WHO-P10", canonicalSentences)
    /// Where the keys of lists are.
    static let whoK1 = Citation("WHO-K1", lists)
    /// Which key counts for a proof.
    static let whoK2 = Citation("WHO-K2", didWeb)
    /// The environment of a list.
    static let whoE2 = Citation("WHO-E2", lists)
}
