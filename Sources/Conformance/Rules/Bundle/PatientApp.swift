import Containers
import Credentials
import Encodings
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
    static let code = ProfileCode(checks: [
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
    ])

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
            return "has data that is not base64"
        }
        return content.starts(with: "%PDF-".utf8) ? nil : "has data that does not begin with %PDF-"
    }
}

extension Rule {
    /// The rules of the profile ktc for a link's text.
    static let patientAppLinkRules: [Rule] = [
        sharedLink("flag") { link in
            link.reading.flags?.utf8.contains(UInt8(ascii: "U")) == true
                ? [] : .found("the link does not have the flag U")
        },
        sharedLink("exp") { $0.reading.expires != nil ? [] : .found("the link has no expiry (exp)") },
        sharedLink("exp-long") { link in
            guard let expires = link.reading.expires,
                expires.sinceEpoch - link.policy.now.sinceEpoch > .seconds(48 * 3_600)
            else { return [] }
            return .found("the link expires more than 48 hours from now")
        },
        patientAppRecipient, patientAppContent, patientAppContentType,
    ]

    /// Checks a link, if the profile was asked for.
    private static func sharedLink(
        _ name: String, _ look: @escaping @Sendable (HealthLinkSubject) -> [Problem]
    ) -> Rule {
        Rule("profile-error/ktc-\(name)", RuleCheck.link) { link in
            // A link that cannot be read has findings of its own.
            guard link.policy.profiles.contains(.patientApp), link.reading.target != nil else { return [] }
            return look(link)
        }
    }

    /// The one rule for the receiver of the link.
    static let patientAppRecipient = sharedLink("recipient") { link in
        link.policy.namesRecipient ? [] : .found("nobody says which organization receives the link")
    }

    /// The caller of `Linter` finds what is wrong with the files, and the findings are added there.
    static let patientAppContent = Rule("profile-error/ktc-content", RuleCheck.input)

    static let patientAppContentType = Rule("profile-error/ktc-cty", RuleCheck.input)

    /// The caller of `judge` gets the keys of apps, and the findings are added there.
    static let attestationSignature = Rule("profile-error/ktc-attestation-signature", RuleCheck.input)
}
