import Containers
import Credentials
import Encodings
import FHIR
import SMARTHealthCards

/// The rules of the profile carin-insurance-card that rows cannot say (Sources/CData/data/profile-carin.txt has the others).
enum InsuranceCard {
    static let code = ProfileCode(checks: [
        "c4dic-class-repeated": eachCoverage { coverage in
            var seen: Set<UTF8Text> = []
            return coverage.list("class").compactMap { element in
                guard let code = singleClass(of: element), !seen.insert(code).inserted else { return nil }
                return Problem("the Coverage has the class \(code) twice", at: element)
            }
        },
        "c4dic-cost": eachCoverage { coverage in
            coverage.list("costToBeneficiary").compactMap { cost in
                objection(toCost: cost).map { Problem("a cost of the Coverage \($0)", at: cost) }
            }
        },
        "c4dic-passcode": .link { link in
            guard link.policy.profiles.contains(.insuranceCard), link.reading.target != nil,
                link.reading.needsPasscode
            else {
                return []
            }
            return .found("the link needs a passcode (flag P)")
        },
    ])

    private static func eachCoverage(_ look: @escaping @Sendable (JSONValue) -> [Problem]) -> RuleCheck {
        .bundle(needing: .profile(.insuranceCard)) { $0.entries.resources("Coverage").problems(look) }
    }

    /// The codes of the classes that a Coverage has at most once, by their systems.
    private static let singleClasses: [(system: String, codes: Set<UTF8Text>)] = [
        ("http://terminology.hl7.org/CodeSystem/coverage-class", ["rxbin", "rxpcn", "rxgroup", "rxid"]),
        ("http://terminology.hl7.org/CodeSystem/C4DICExtendedCoverageClassCS", ["division", "network", "rxiin"]),
        (
            "http://hl7.org/fhir/us/insurance-card/CodeSystem/C4DICExtendedCoverageClassCS",
            ["division", "network", "rxiin"]
        ),
    ]

    /// The code of a class that a Coverage has at most once; nil for another class.
    private static func singleClass(of element: JSONValue) -> UTF8Text? {
        for coding in element["type"]?.list("coding") ?? [] {
            guard let code = coding["code"]?.string else { continue }
            let isSingle = singleClasses.contains {
                $0.codes.contains(code) && coding["system"]?.isString($0.system) == true
            }
            if isSingle { return code }
        }
        return nil
    }

    /// What is wrong with an element of `costToBeneficiary`; nil if nothing is.
    private static func objection(toCost cost: JSONValue) -> String? {
        guard cost["type"].map({ !$0.isNull }) == true else { return "has no `type`" }
        guard let money = cost["valueMoney"], money.kind == .object else { return "has no `valueMoney`" }
        let words = CoverageDetails.extensionValue(CoverageDetails.costInWords, of: money)
        let (value, currency) = (money.optional("value"), money.optional("currency"))
        if words != nil {
            return value == nil && currency == nil ? nil : "has both an amount and a text"
        }
        switch (value, currency) {
        case (nil, nil): return "has neither an amount nor a text"
        case (_?, nil): return "has an amount without a currency"
        case (nil, _?): return "has a currency without an amount"
        default: return nil
        }
    }
}

/// The rule of the profile usa-covid19-immunization that rows cannot say (Sources/CData/data/profile-usa.txt has the others).
enum USAProfile {
    static let code = ProfileCode(checks: [
        "vaccine-code": .bundle(needing: .profile(.usaCOVID19Immunization)) { subject in
            subject.entries.resources("Immunization").problems { immunization in
                guard let concept = immunization["vaccineCode"] else { return [] }
                let codings = concept.list("coding")
                guard codings.contains(where: { $0["system"]?.isString("http://hl7.org/fhir/sid/cvx") == true }) else {
                    let isOtherName = codings.contains {
                        Code(system: $0["system"]?.string, code: "").canonical.system == Code.cvx
                    }
                    let words = isOtherName ? "names CVX by its OID, and not by its URL" : "has no CVX code"
                    return .found("`vaccineCode` of the Immunization \(words)", at: concept)
                }
                let names = subject.policy.codeNames
                switch isAgainstCOVID19(codings, names) {
                case true?: return []
                case false?:
                    return .found(
                        "`vaccineCode` of the Immunization is not a COVID-19 vaccine in the CDC's list", at: concept)
                case nil:
                    return .found(
                        "it is unknown whether `vaccineCode` of the Immunization is a COVID-19 vaccine: its codes are on no known list"
                            + "\(KnownCodes.age(of: Code.cvx, names))", at: concept,
                        severity: .unchecked)
                }
            }
        }
    ])

    /// Whether a vaccine is against COVID-19, by its codes. Nil if no list in use tells what any of them is, and one of CVX may be newer
    /// than the lists.
    private static func isAgainstCOVID19(_ codings: [JSONValue], _ names: CodeNames) -> Bool? {
        let codes = codings.compactMap { coding in
            coding["code"]?.string.map { Code(system: coding["system"]?.string, code: $0) }
        }
        if codes.contains(where: { names.isCOVID19($0) }) { return true }
        guard !codes.contains(where: { names.isTold($0) }) else { return false }
        let mayBe = codings.contains { coding in
            coding["system"]?.isString(Code.cvx.description) == true
                && VaccinationGuide.membership(of: coding, names) != .other
        }
        return mayBe ? nil : false
    }
}

// What the rules of profiles look at in a Bundle.

extension [BundleSubject.Entry] {
    /// The resources of a type.
    func resources(_ type: UTF8Text) -> [JSONValue] { filter { $0.isOf(type) }.compactMap(\.resource) }
}

extension [JSONValue] {
    /// The problems that a check finds in each of some resources, up to the limit.
    func problems(_ look: (JSONValue) -> [Problem]) -> [Problem] {
        var problems: [Problem] = []
        for resource in self where problems.count < Bounds.problems { problems += look(resource) }
        return problems
    }
}

extension FHIRBundle {
    /// Whether a reference leads to an entry of the Bundle with a resource of this type.
    func leads(_ reference: JSONValue?, toEntryOf type: UTF8Text) -> Bool {
        guard let address = reference?["reference"]?.string, case .entry(let index)? = target(of: address, from: nil)
        else { return false }
        return entries[index].resource?.resourceType == type
    }
}

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
