import Containers
import Credentials
import Encodings
import FHIR
import SMARTHealthCards

/// Who has to correct a finding, under the profile ktc.
package enum FindingActor: String, Sendable, CaseIterable {
    /// The patient's app, which made the link and its content.
    case sender
    /// The person or organization that runs this program.
    case `operator`
}

/// The rules of the profile ktc for Bundles that rows cannot say (Sources/CData/data/profile-ktc.txt has the others). A Bundle that a
/// patient's app shares is not that of a card.
enum PatientSharedBundle {
    static let checks: [String: RuleCheck] = [
        "ktc-entries": shared { subject in
            subject.entries.contains { !$0.isOf("Patient") && $0.resource != nil }
                ? [] : .found("the Bundle has nothing beside the Patient", at: subject.value)
        },
        "ktc-doc-type": eachDocument { document in
            types(of: document).count == 1
                ? []
                : [
                    Problem(
                        "the type of the DocumentReference is not exactly one of 60591-5 and 51855-5", at: "type",
                        of: document)
                ]
        },
        "ktc-doc-pdf": eachDocument { document in
            for content in document.list("content") {
                let attachment = content["attachment"]
                guard let objection = objection(toAttachment: attachment) else { continue }
                return .found("the attachment of the DocumentReference \(objection)", at: attachment ?? content)
            }
            return []
        },
        "ktc-no-rendered-pdf": shared { subject in
            let hasOthers = subject.entries.contains {
                $0.resource != nil && !$0.isOf("Patient") && !$0.isOf("DocumentReference")
            }
            let isRendered = subject.entries.resources("DocumentReference").contains {
                types(of: $0).contains(rendering)
            }
            return hasOthers && !isRendered
                ? .found("the Bundle has no PDF that shows the other resources", at: subject.value) : []
        },
        "ktc-attestation-form": shared { defects(of: $0.attestation, for: .form) },
        "ktc-attestation-claims": shared { defects(of: $0.attestation, for: .claims) },
    ]

    private static func shared(_ look: @escaping @Sendable (BundleSubject) -> [Problem]) -> RuleCheck {
        .bundle(needing: .profile(.patientApp)) { $0.isShared ? look($0) : [] }
    }

    private static func eachDocument(_ look: @escaping @Sendable (JSONValue) -> [Problem]) -> RuleCheck {
        shared { $0.entries.resources("DocumentReference").problems(look) }
    }

    /// What is wrong with the app's attestation, if it is for this reason.
    private static func defects(of attestation: AppAttestation?, for reason: AppAttestation.Part) -> [Problem] {
        guard let attestation, let defect = attestation.defect, defect.reason == reason else { return [] }
        return .found(defect.message, at: attestation.element)
    }

    /// The rendering of all other resources, and the patient's own story.
    private static let rendering: UTF8Text = "60591-5"
    private static let story: UTF8Text = "51855-5"

    /// How often a document has one of the two types.
    private static func types(of document: JSONValue) -> [UTF8Text] {
        (document["type"]?.list("coding") ?? []).compactMap { coding in
            guard coding["system"]?.isString("http://loinc.org") == true, let code = coding["code"]?.string,
                code == rendering || code == story
            else { return nil }
            return code
        }
    }

    /// Why an attachment is no PDF, in words that follow "the attachment"; nil if it is one.
    private static func objection(toAttachment attachment: JSONValue?) -> String? {
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
}
