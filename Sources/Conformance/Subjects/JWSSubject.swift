import Credentials
import Cryptography
import Encodings
import FHIR
import SMARTHealthCards

/// A compact JWS.
final class JWSSubject: Sendable {
    let document: Document
    /// The form that the card came in.
    let kind: InputForm
    /// Whether the text was cut off, so that no rule can judge its end.
    let isCut: Bool
    let reading: CardReading
    /// The header; nil if it is too large.
    let header: HeaderSubject?
    /// The inflated payload; nil if it cannot be inflated.
    let payload: PayloadSubject?
    /// The issuer that the payload names, even if the URL is not valid; nil if it names none.
    let issuer: Issuer?

    init(
        _ document: Document, kind: InputForm, isCut: Bool = false, settings: LintSettings, inflater: Inflater
    ) {
        self.document = document
        self.kind = kind
        self.isCut = isCut
        reading = CardReading(document.text, inflater: inflater)
        header = reading.header.map { HeaderSubject($0, of: document) }
        payload = reading.payload.map { payload in
            PayloadSubject(payload, source: document.source, card: document.card, settings: settings)
        }
        issuer = payload?.claims?.issuer.map { Issuer(unchecked: $0) }
    }
}

/// The header of a JWS.
struct HeaderSubject: Sendable {
    let document: Document
    let json: JSONReading
    /// The header; nil if it is not JSON.
    var value: JSONValue? { json.value }

    init(_ json: JSONReading, of jws: Document) {
        self.json = json
        document = Document(source: jws.source, card: jws.card, layer: .header, text: json.text, root: json.value)
    }
}

/// A payload, from a JWS or as an input of its own.
final class PayloadSubject: Sendable {
    let document: Document
    let json: JSONReading
    /// The claims of the payload; nil if it is not a JSON object.
    let claims: CardClaims?
    /// The Bundle of the payload; nil if there is none.
    let bundle: BundleSubject?
    /// What the records in the payload's Bundle are about; nil if there is no Bundle, or if `vc.type` says nothing of records. Only
    /// the rules of such types need it.
    let topics: [RecordTopic]?
    private let settings: LintSettings
    var policy: LintPolicy { settings.policy }

    /// The payload; nil if it is not JSON.
    var value: JSONValue? { json.value }
    /// The issuer, or why its URL is not valid; nil if `iss` is not a string.
    let issuer: Result<Issuer, VerificationFailure>?
    /// `vc`; nil if there is none.
    let credential: JSONValue?
    /// `vc.type`; nil if there is none.
    let type: JSONValue?
    /// The elements of `vc.type`; none if it is not an array.
    let types: [JSONValue]
    /// `vc.credentialSubject`; nil if there is none.
    let credentialSubject: JSONValue?
    /// Whether the payload is from a JWS, so that white space in it was signed.
    var isSigned: Bool { document.inputOffset == nil }

    init(
        _ json: JSONReading, source: String, card: Int? = nil, in input: (bytes: [UInt8], offset: Int)? = nil,
        settings: LintSettings
    ) {
        self.json = json
        self.settings = settings
        let value = json.value
        document = Document(
            source: source, card: card, layer: .payload, text: json.text, root: value, in: input)
        guard let value, value.kind == .object else {
            (claims, bundle, topics, issuer) = (nil, nil, nil, nil)
            (credential, type, types, credentialSubject) = (nil, nil, [], nil)
            return
        }
        let claims = CardClaims(payload: value)
        self.claims = claims
        issuer = value["iss"]?.string.map { url in
            Result { () throws(VerificationFailure) in try Issuer(url) }
        }
        let credential = value["vc"]
        self.credential = credential
        type = credential?["type"]
        types = type?.elements.map { Array($0) } ?? []
        topics = Self.haveFurther(types) ? claims.fhirBundle.map { RecordTopic.all(in: $0) } : nil
        let subject = credential?["credentialSubject"]
        credentialSubject = subject
        bundle = subject?["fhirBundle"].map { [document] bundle in
            BundleSubject(
                document: document, value: bundle, fhirVersion: subject?["fhirVersion"]?.string, settings: settings)
        }
    }

    /// Whether there are several types in `vc.type`, or one that says what the records are.
    private static func haveFurther(_ types: [JSONValue]) -> Bool {
        types.count > 1 || types.contains { type in CardTopic.allCases.contains { type.isString($0.type) } }
    }
}

/// A FHIR Bundle, alone or in a payload.
final class BundleSubject: Sendable {
    /// An entry and its resource.
    struct Entry: Sendable {
        let entry: JSONValue
        /// The JSON that should be a resource; nil if there is none.
        let resource: JSONValue?
        /// The type of the resource; empty if it has none.
        let type: UTF8Text

        init(_ entry: JSONValue) {
            self.entry = entry
            resource = entry["resource"]
            type = resource?["resourceType"]?.string ?? ""
        }

        func isOf(_ type: UTF8Text) -> Bool { self.type == type }
    }

    /// The text that contains the Bundle.
    let document: Document
    /// The JSON, which should be a Bundle.
    let value: JSONValue
    /// The FHIR version of the payload; nil if there is none.
    let fhirVersion: UTF8Text?
    private let settings: LintSettings
    var policy: LintPolicy { settings.policy }
    /// How the Bundle violates the structure of FHIR R4 and the rules that keep cards small. One walk finds
    /// this for all rules. For another version, it finds only what is the same in every version.
    let structure: [StructureProblem]
    let entries: [Entry]
    /// Whether a patient's app shares it, by the profile ktc.
    let isShared: Bool
    /// The attestation of that app; nil if there is none.
    let attestation: AppAttestation?
    /// How the Bundle violates the rows of profiles, by the IDs of the rules.
    private let rowProblems: [String: [Problem]]
    /// The profiles of HL7's guide that the contents have chosen, since none was asked for.
    let chosenProfiles: [LintPolicy.Profile]

    init(document: Document, value: JSONValue, fhirVersion: UTF8Text?, settings: LintSettings) {
        self.document = document
        self.value = value
        self.fhirVersion = fhirVersion
        self.settings = settings
        let profiles = settings.policy.profiles
        structure =
            BundleWalk(value, fhirVersion: fhirVersion, allowsProfileInMeta: profiles.contains(.insuranceCard)).problems
        entries = (value["entry"]?.elements).map { $0.filter { $0.kind == .object }.map { Entry($0) } } ?? []
        isShared = profiles.contains(.patientApp) && document.layer == .bundle
        attestation = isShared ? AppAttestation(ofBundle: value, at: settings.policy.now) : nil
        let choice =
            settings.policy.asksForProfiles || !BundleWalk.isR4(fhirVersion) ? nil : GuideChoice(for: entries)
        chosenProfiles = choice?.profiles ?? []
        let compared = choice?.compared ?? settings.profiles(isShared: isShared)
        rowProblems =
            compared.isEmpty
            ? [:]
            : ProfileWalk(
                value, entries: entries, profiles: compared, choice: choice, names: settings.policy.codeNames
            ).problems
    }

    /// Whether the Bundle violates rows of profiles.
    var violatesRows: Bool { !rowProblems.isEmpty }

    /// The violations of the rows of a rule.
    func problems(withRowsOf rule: String) -> [Problem] { rowProblems[rule] ?? [] }

    /// The violations of one kind that the walk found.
    func problems(of kind: StructureProblem.Kind) -> [Problem] {
        structure.compactMap { $0.kind == kind ? $0.problem : nil }
    }
}
