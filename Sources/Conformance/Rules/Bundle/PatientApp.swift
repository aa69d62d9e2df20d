import Bytes
import Credentials
import FHIR
import SMARTHealthCards
import SMARTHealthLinks
import StrictJSON

/// Who has to correct a finding, under the profile ktc.
package enum FindingActor: String, Sendable, CaseIterable {
    /// The patient's app, which made the link and its content.
    case sender
    /// The person or organization that runs this program.
    case `operator`
}

/// What the rules of the profile ktc look at in a Bundle that a patient's app shares (Kill the Clipboard, "PatientSharedBundle").
struct PatientSharedBundle: Sendable {
    let patients: [JSONValue]
    let documents: [JSONValue]
    let entries: [BundleSubject.Entry]
    /// The attestation of the app; nil if the Bundle has none.
    let attestation: AppAttestation?
    private let bundle: FHIRBundle

    /// - Parameter now: the time that dates are compared with.
    init(_ value: JSONValue, _ entries: [BundleSubject.Entry], at now: NumericDate) {
        patients = entries.resources("Patient")
        documents = entries.resources("DocumentReference")
        self.entries = entries
        attestation = AppAttestation(ofBundle: value, at: now)
        bundle = FHIRBundle(value)
    }

    /// Whether a reference leads to the Patient of the Bundle.
    func leadsToPatient(_ reference: JSONValue?) -> Bool { bundle.leads(reference, toEntryOf: "Patient") }

    /// What is wrong with the app's attestation, if it is for this reason.
    func defects(for reason: AppAttestation.Part) -> [Problem] {
        guard let attestation, let defect = attestation.defect, defect.reason == reason else { return [] }
        return .found(defect.message, at: attestation.element)
    }

    // MARK: Documents

    /// The rendering of all other resources, and the patient's own story.
    static let rendering: UTF8Text = "60591-5"
    private static let story: UTF8Text = "51855-5"

    /// How often a document has one of the two types.
    static func types(of document: JSONValue) -> [UTF8Text] {
        (document["type"]?.list("coding") ?? []).compactMap { coding in
            guard coding["system"]?.isString("http://loinc.org") == true, let code = coding["code"]?.string,
                code == rendering || code == story
            else { return nil }
            return code
        }
    }

    static func isShared(_ document: JSONValue) -> Bool {
        document.list("category").contains { category in
            category.list("coding").contains { coding in
                coding["system"]?.isString("https://cms.gov/fhir/CodeSystem/patient-shared-category") == true
                    && coding["code"]?.isString("patient-shared") == true
            }
        }
    }

    static func isLabelled(_ document: JSONValue) -> Bool {
        (document["meta"]?.list("security") ?? []).contains { label in
            label["system"]?.isString("http://terminology.hl7.org/CodeSystem/v3-ObservationValue") == true
                && label["code"]?.isString("PATAST") == true
        }
    }

    /// Why an attachment is no PDF, in words that follow "the attachment"; nil if it is one.
    static func objection(toAttachment attachment: JSONValue?) -> String? {
        guard attachment?["contentType"]?.isString("application/pdf") == true else { return "is not application/pdf" }
        guard let text = attachment?["data"]?.stringBytes else { return "has no data" }
        guard let content = try? Base64.decode(text.filter { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) else {
            return "has data that is no base64"
        }
        return content.starts(with: "%PDF-".utf8) ? nil : "has data that does not begin with %PDF-"
    }
}

extension Citation {
    /// Kill the Clipboard, by the part of the text.
    fileprivate static func killTheClipboard(_ part: String) -> Citation {
        Citation("Kill the Clipboard 0.9.0, \(part)", "https://ktc-spec.github.io/")
    }
}

extension RuleCheck {
    /// Checks a Bundle, if the profile was asked for.
    fileprivate static func sharedBundle(
        _ look: @escaping @Sendable (PatientSharedBundle, BundleSubject) -> [Problem]
    ) -> RuleCheck {
        .bundle(needing: .profile(.patientApp)) { subject in subject.patientShared.map { look($0, subject) } ?? [] }
    }

    /// Checks each DocumentReference of a Bundle, if the profile was asked for.
    ///
    /// - Parameter look: the words and the place of what is wrong; nil if nothing is.
    fileprivate static func eachDocument(
        _ look: @escaping @Sendable (JSONValue, PatientSharedBundle) -> Problem?
    ) -> RuleCheck {
        .sharedBundle { shared, _ in
            shared.documents.lazy.compactMap { look($0, shared) }.prefix(Bounds.problems).map { $0 }
        }
    }

    /// Checks a member of each DocumentReference of a Bundle, if the profile was asked for.
    ///
    /// - Parameters:
    ///   - words: what is wrong with a document that is not right.
    ///   - isRight: whether the document is right.
    fileprivate static func eachDocument(
        at member: String, _ words: String, _ isRight: @escaping @Sendable (JSONValue, PatientSharedBundle) -> Bool
    ) -> RuleCheck {
        .eachDocument { document, shared in isRight(document, shared) ? nil : Problem(words, at: member, of: document) }
    }

    /// Checks a link, if the profile was asked for.
    fileprivate static func sharedLink(_ look: @escaping @Sendable (HealthLinkSubject) -> [Problem]) -> RuleCheck {
        .link { link in
            // A link that cannot be read has findings of its own.
            guard link.policy.profiles.contains(.patientApp), link.reading.link != nil else { return [] }
            return look(link)
        }
    }
}

extension Rule {
    private static func ktc(
        _ name: String, _ part: String, severity: Severity = .error, requirement: String, remedy: String,
        _ check: RuleCheck
    ) -> Rule {
        Rule(
            "profile-error", "ktc-\(name)", .killTheClipboard(part), severity: severity, requirement: requirement,
            remedy: remedy, check: check)
    }

    private static let sharedContent = "PatientSharedBundle"
    private static let sharedDocument = "PatientSharedDocumentReference"
    private static let senderShould = "Sender"
    private static let attestationPart = "App Attestation"

    /// The rules of the profile ktc for a link's text.
    static let patientAppLinkRules: [Rule] = [
        ktc(
            "flag", "SHLink Payload", requirement: "The link has the flag U: its one file is fetched directly.",
            remedy: "Write U in the flag of the link's payload.",
            .sharedLink { link in
                link.reading.flags?.utf8.contains(UInt8(ascii: "U")) == true
                    ? [] : .found("the link does not have the flag U")
            }),
        ktc(
            "exp", "Expiration", requirement: "The link has an expiry (exp).",
            remedy: "Write exp: some minutes from now for a screen, a day or two for paper.",
            .sharedLink { $0.reading.expires != nil ? [] : .found("the link has no expiry (exp)") }),
        ktc(
            "exp-long", "Expiration", severity: .warning,
            requirement: "The expiry (exp) of the link is at most 48 hours away.",
            remedy: "Make the link for some minutes if it is shown on a screen, and for a day or two on paper.",
            .sharedLink { link in
                guard let expires = link.reading.expires,
                    expires.sinceEpoch - link.policy.now.sinceEpoch > .seconds(48 * 3_600)
                else { return [] }
                return .found("the link expires more than 48 hours from now")
            }),
        patientAppRecipient, patientAppContent, patientAppContentType,
    ]

    /// The one rule for the receiver of the link.
    static let patientAppRecipient = ktc(
        "recipient", "Receiver", severity: .warning,
        requirement: "A receiver names its organization when it fetches the link (recipient).",
        remedy: "Give the name of the organization that receives the link. It is shown to the patient.",
        .sharedLink { link in
            link.policy.namesRecipient ? [] : .found("nobody says which organization receives the link")
        })

    /// The caller of `Linter` finds what is wrong with the files, and the findings are added there.
    static let patientAppContent = ktc(
        "content", sharedContent, requirement: "The content of the link is a FHIR Bundle.",
        remedy: "Put all resources into one Bundle, and encrypt that.", .input { _ in [] })

    static let patientAppContentType = ktc(
        "cty", "Decryption", severity: .warning,
        requirement: "The content type (cty) in the encrypted file is application/fhir+json.",
        remedy: "Write application/fhir+json in cty of the JWE header.", .input { _ in [] })

    /// The caller of `judge` gets the keys of apps, and the findings are added there.
    static let attestationSignature = ktc(
        "attestation-signature", attestationPart,
        requirement: "The signature of an app's attestation verifies with the key of the app that the key ID names.",
        remedy: "Sign the attestation with a key that the app publishes at its iss under .well-known/jwks.json.",
        .input { _ in [] })

    /// The rules of the profile ktc for the content.
    static let patientAppBundleRules: [Rule] = [
        ktc(
            "bundle-type", sharedContent, requirement: "The type of the Bundle is collection.",
            remedy: "Write collection in `type`.",
            .sharedBundle { _, subject in
                subject.value["type"]?.isString("collection") == true
                    ? [] : [Problem("the type of the Bundle is not collection", at: "type", of: subject.value)]
            }),
        ktc(
            "timestamp", sharedContent, requirement: "The Bundle has a `timestamp`.",
            remedy: "Write the time at which the Bundle was made.",
            .sharedBundle { _, subject in
                subject.value.optional("timestamp") != nil
                    ? [] : .found("the Bundle has no `timestamp`", at: subject.value, member: "timestamp")
            }),
        ktc(
            "patient", sharedContent, requirement: "The Bundle has one Patient.",
            remedy: "Share the data of each person in a Bundle of its own.",
            .sharedBundle { shared, subject in
                shared.patients.count == 1
                    ? [] : .found("the Bundle has \(shared.patients.count) Patients, not 1", at: subject.value)
            }),
        ktc(
            "entries", sharedContent, requirement: "The Bundle has an entry beside the Patient.",
            remedy: "Add what the patient shares.",
            .sharedBundle { shared, subject in
                shared.entries.contains { !$0.isOf("Patient") && $0.resource != nil }
                    ? [] : .found("the Bundle has nothing beside the Patient", at: subject.value)
            }),
        ktc(
            "doc-status", sharedDocument, requirement: "The status of a DocumentReference is current.",
            remedy: "Write current in `status`.",
            .eachDocument(at: "status", "the status of the DocumentReference is not current") { document, _ in
                document["status"]?.isString("current") == true
            }),
        ktc(
            "doc-type", sharedDocument,
            requirement:
                "The type of a DocumentReference is exactly one of LOINC 60591-5 (a rendering of all that is shared) and 51855-5 (the "
                + "patient's own story).",
            remedy: "Write the one that the document is.",
            .eachDocument(
                at: "type", "the type of the DocumentReference is not exactly one of 60591-5 and 51855-5"
            ) { document, _ in PatientSharedBundle.types(of: document).count == 1 }),
        ktc(
            "doc-category", sharedDocument, requirement: "A DocumentReference has the category patient-shared.",
            remedy: "Add the code patient-shared of https://cms.gov/fhir/CodeSystem/patient-shared-category.",
            .eachDocument(at: "category", "the DocumentReference does not have the category patient-shared") {
                document, _ in PatientSharedBundle.isShared(document)
            }),
        ktc(
            "doc-subject", sharedDocument,
            requirement: "`subject` of a DocumentReference refers to the Patient of the Bundle.",
            remedy: "Write the `fullUrl` of the Patient in `subject.reference`.",
            .eachDocument(at: "subject", "the subject of the DocumentReference is not the Patient of the Bundle") {
                document, shared in shared.leadsToPatient(document["subject"])
            }),
        ktc(
            "doc-author", sharedDocument,
            requirement: "One of the authors of a DocumentReference is the Patient of the Bundle.",
            remedy: "Add the `fullUrl` of the Patient to `author`.",
            .eachDocument(
                at: "author", "the Patient of the Bundle is not among the authors of the DocumentReference"
            ) { document, shared in document.list("author").contains { shared.leadsToPatient($0) } }),
        ktc(
            "doc-date", sharedDocument, requirement: "A DocumentReference has a `date`.",
            remedy: "Write when the document was made.",
            .eachDocument { document, _ in
                document.optional("date") != nil
                    ? nil : Problem("the DocumentReference has no `date`", at: document, member: "date")
            }),
        ktc(
            "doc-content", sharedDocument, requirement: "A DocumentReference has one `content`.",
            remedy: "Write each document in a DocumentReference of its own.",
            .eachDocument { document, _ in
                let count = document.list("content").count
                return count == 1
                    ? nil : Problem("the DocumentReference has \(count) contents, not 1", at: "content", of: document)
            }),
        ktc(
            "doc-pdf", sharedDocument,
            requirement:
                "The attachment of a DocumentReference is a PDF: application/pdf, in base64, beginning with %PDF-.",
            remedy: "Put the PDF itself into `data`, in base64.",
            .eachDocument { document, _ in
                for content in document.list("content") {
                    let attachment = content["attachment"]
                    guard let objection = PatientSharedBundle.objection(toAttachment: attachment) else { continue }
                    return Problem("the attachment of the DocumentReference \(objection)", at: attachment ?? content)
                }
                return nil
            }),
        ktc(
            "doc-patast", senderShould, severity: .warning,
            requirement: "A DocumentReference is labelled PATAST (patient asserted) in `meta.security`.",
            remedy: "Add PATAST of http://terminology.hl7.org/CodeSystem/v3-ObservationValue.",
            .eachDocument { document, _ in
                PatientSharedBundle.isLabelled(document)
                    ? nil : Problem("the DocumentReference is not labelled PATAST", at: document["meta"] ?? document)
            }),
        ktc(
            "meta-profile", sharedContent, severity: .warning, requirement: "A resource has no `meta.profile`.",
            remedy: "Remove `meta.profile`.",
            .sharedBundle { shared, _ in
                shared.entries.lazy.compactMap { $0.resource?["meta"]?.optional("profile") }.prefix(Bounds.problems)
                    .map { Problem("a resource has `meta.profile`", at: $0) }
            }),
        ktc(
            "demographics", senderShould, severity: .warning,
            requirement: "The Patient has a name and a birth date, by which the receiver finds the record.",
            remedy: "Add what is missing.",
            .sharedBundle { shared, _ in
                shared.patients.prefix(Bounds.problems).flatMap { patient in
                    let isNamed = patient.list("name").contains { name in
                        ["family", "given", "text"].contains { name.optional($0) != nil }
                    }
                    let hasBirthDate = patient.optional("birthDate") != nil
                    return [
                        isNamed ? nil : Problem("the Patient has no name", at: patient, member: "name"),
                        hasBirthDate ? nil : Problem("the Patient has no birth date", at: patient, member: "birthDate"),
                    ].compactMap(\.self)
                }
            }),
        ktc(
            "no-rendered-pdf", senderShould, severity: .warning,
            requirement: "If other resources are shared, there is a PDF that shows them all (LOINC 60591-5).",
            remedy: "Add a DocumentReference with a rendering of the data.",
            .sharedBundle { shared, subject in
                let hasOthers = shared.entries.contains {
                    $0.resource != nil && !$0.isOf("Patient") && !$0.isOf("DocumentReference")
                }
                let isRendered = shared.documents.contains {
                    PatientSharedBundle.types(of: $0).contains(PatientSharedBundle.rendering)
                }
                return hasOthers && !isRendered
                    ? .found("the Bundle has no PDF that shows the other resources", at: subject.value) : []
            }),
        ktc(
            "attestation-form", attestationPart,
            requirement: "The attestation of the app is a compact JWS with alg ES256 and a kid.",
            remedy: "Sign the attestation with ES256, and write the key ID in its header.",
            .sharedBundle { shared, _ in shared.defects(for: .form) }),
        ktc(
            "attestation-claims", attestationPart,
            requirement:
                "The claims of the app's attestation are exactly iss (an https URL), iat and jti, and iat is neither "
                + "before 2020 nor in the future.",
            remedy: "Write these three claims, and no other.",
            .sharedBundle { shared, _ in shared.defects(for: .claims) }),
        attestationSignature,
    ]
}
