import Credentials
import FHIR
import SMARTHealthLinks
import StrictJSON

/// What the rules of the profile carin-insurance-card look at: the Coverages of a Bundle, and whom they name.
///
/// The profile is HL7's CARIN Digital Insurance Card (C4DIC), STU 2. It is never chosen by the content of a card.
struct InsuranceCard: Sendable {
    let coverages: [JSONValue]
    let organizations: [JSONValue]
    let patients: [JSONValue]
    private let bundle: FHIRBundle

    init(_ value: JSONValue, _ entries: [BundleSubject.Entry]) {
        coverages = entries.resources("Coverage")
        organizations = entries.resources("Organization")
        patients = entries.resources("Patient")
        bundle = FHIRBundle(value)
    }

    /// Whether a reference leads to an entry of the Bundle with a resource of this type.
    func leads(_ reference: JSONValue?, toEntryOf type: UTF8Text) -> Bool {
        bundle.leads(reference, toEntryOf: type)
    }

    // MARK: Codes

    static let relationshipSystem = "http://terminology.hl7.org/CodeSystem/subscriber-relationship"
    static let relationships: Set<UTF8Text> = ["child", "parent", "spouse", "common", "other", "self", "injured"]

    private static let classSystem = "http://terminology.hl7.org/CodeSystem/coverage-class"
    /// The guide's own code system, by the addresses that are in use for it.
    private static let extendedClassSystems = [
        "http://terminology.hl7.org/CodeSystem/C4DICExtendedCoverageClassCS",
        "http://hl7.org/fhir/us/insurance-card/CodeSystem/C4DICExtendedCoverageClassCS",
    ]
    private static let classCodes: Set<UTF8Text> = [
        "group", "subgroup", "plan", "subplan", "class", "subclass", "sequence", "rxbin", "rxpcn", "rxid", "rxgroup",
    ]
    private static let extendedClassCodes: Set<UTF8Text> = ["division", "network", "alternatenetwork", "rxiin"]
    /// The classes that a Coverage has at most once.
    static let single: Set<UTF8Text> = ["division", "network", "rxbin", "rxpcn", "rxgroup", "rxid", "rxiin"]

    /// The code of a class, if it is one of the two code systems.
    static func classCode(of element: JSONValue) -> UTF8Text? {
        for coding in element["type"]?.list("coding") ?? [] {
            guard let system = coding["system"], let code = coding["code"]?.string else { continue }
            if system.isString(classSystem), classCodes.contains(code) { return code }
            if extendedClassSystems.contains(where: { system.isString($0) }), extendedClassCodes.contains(code) {
                return code
            }
        }
        return nil
    }

    // MARK: Costs

    /// What is wrong with an element of `costToBeneficiary`; nil if nothing is.
    static func objection(toCost cost: JSONValue) -> String? {
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

extension Citation {
    /// HL7's guide CARIN Digital Insurance Card.
    fileprivate static let insuranceCard = Citation(
        "CARIN Digital Insurance Card 2.0.0", "https://hl7.org/fhir/us/insurance-card/STU2/")
}

extension RuleCheck {
    /// Checks a Bundle, if the profile was asked for.
    fileprivate static func insuranceCard(
        _ look: @escaping @Sendable (InsuranceCard, BundleSubject) -> [Problem]
    ) -> RuleCheck {
        .bundle(needing: .profile(.insuranceCard)) { subject in
            subject.insuranceCard.map { look($0, subject) } ?? []
        }
    }

    /// Checks each Coverage of a Bundle, if the profile was asked for.
    fileprivate static func eachCoverage(
        _ look: @escaping @Sendable (JSONValue, InsuranceCard) -> [Problem]
    ) -> RuleCheck {
        .insuranceCard { card, _ in card.coverages.problems { look($0, card) } }
    }

    /// Checks that each Coverage has an element.
    fileprivate static func coverage(has name: String) -> RuleCheck {
        .eachCoverage { coverage, _ in
            coverage.optional(name) != nil
                ? [] : .found("the Coverage has no `\(name)`", at: coverage, member: name)
        }
    }

    /// Checks that a Bundle has a resource of a type.
    fileprivate static func bundle(
        has type: String, _ resources: @escaping @Sendable (InsuranceCard) -> [JSONValue]
    ) -> RuleCheck {
        .insuranceCard { card, subject in
            resources(card).isEmpty ? .found("the Bundle has no \(type)", at: subject.value) : []
        }
    }
}

extension Rule {
    private static func c4dic(
        _ name: String, severity: Severity = .error, requirement: String, remedy: String, _ check: RuleCheck
    ) -> Rule {
        Rule(
            "profile-error", "c4dic-\(name)", .insuranceCard, severity: severity, requirement: requirement,
            remedy: remedy, check: check)
    }

    /// The rules of the profile carin-insurance-card.
    static let insuranceCardRules: [Rule] = [
        c4dic(
            "coverage", requirement: "An insurance card has a Coverage.",
            remedy: "Add the Coverage as an entry of the Bundle.", .bundle(has: "Coverage") { $0.coverages }),
        c4dic(
            "organization", requirement: "An insurance card has the Organization of the payer.",
            remedy: "Add the payer's Organization as an entry of the Bundle.",
            .bundle(has: "Organization") { $0.organizations }),
        c4dic(
            "patient", requirement: "An insurance card has the Patient who is insured.",
            remedy: "Add the Patient as an entry of the Bundle.", .bundle(has: "Patient") { $0.patients }),
        c4dic(
            "type", requirement: "A Coverage has `type`.", remedy: "Write the kind of the coverage in `type`.",
            .coverage(has: "type")),
        c4dic(
            "subscriber", requirement: "`subscriber` of a Coverage has a `reference`.",
            remedy: "Write the `fullUrl` of the subscriber's Patient in `subscriber.reference`.",
            .eachCoverage { coverage, _ in
                coverage["subscriber"]?.optional("reference") != nil
                    ? [] : .found("the Coverage has no `subscriber.reference`", at: coverage, member: "subscriber")
            }),
        c4dic(
            "subscriber-id", requirement: "A Coverage has `subscriberId`.",
            remedy: "Write the subscriber's number in `subscriberId`.", .coverage(has: "subscriberId")),
        c4dic(
            "beneficiary", requirement: "`beneficiary` of a Coverage refers to a Patient of the Bundle.",
            remedy: "Write the `fullUrl` of the insured person's Patient in `beneficiary.reference`.",
            .eachCoverage { coverage, card in
                let words = "the beneficiary of the Coverage is no Patient of the Bundle"
                return card.leads(coverage["beneficiary"], toEntryOf: "Patient")
                    ? [] : [Problem(words, at: "beneficiary", of: coverage)]
            }),
        c4dic(
            "relationship",
            requirement:
                "`relationship` of a Coverage has a code of subscriber-relationship: child, parent, spouse, common, other, self or injured.",
            remedy: "Write how the insured person is related to the subscriber, by a code of that system.",
            .eachCoverage { coverage, _ in
                guard let relationship = coverage.optional("relationship") else {
                    return .found("the Coverage has no `relationship`", at: coverage, member: "relationship")
                }
                let isKnown = relationship.list("coding").contains { coding in
                    coding["system"]?.isString(InsuranceCard.relationshipSystem) == true
                        && coding["code"]?.string.map { InsuranceCard.relationships.contains($0) } == true
                }
                return isKnown
                    ? [] : .found("the relationship has no code of subscriber-relationship", at: relationship)
            }),
        c4dic(
            "payor", requirement: "A Coverage has one `payor`, which refers to an Organization of the Bundle.",
            remedy: "Write the `fullUrl` of the payer's Organization in the one `payor.reference`.",
            .eachCoverage { coverage, card in
                let payers = coverage.list("payor")
                guard payers.count == 1 else {
                    return [Problem("the Coverage has \(payers.count) payors, not 1", at: "payor", of: coverage)]
                }
                return card.leads(payers[0], toEntryOf: "Organization")
                    ? [] : .found("the payor of the Coverage is no Organization of the Bundle", at: payers[0])
            }),
        c4dic(
            "class-type",
            requirement:
                "`class.type` of a Coverage has a code of coverage-class, or of the guide's C4DICExtendedCoverageClassCS.",
            remedy: "Write a code of one of the two systems.",
            .eachCoverage { coverage, _ in
                coverage.list("class").filter { InsuranceCard.classCode(of: $0) == nil }.map {
                    Problem("the `type` of a class of the Coverage is of neither code system", at: $0["type"] ?? $0)
                }
            }),
        c4dic(
            "class-repeated",
            requirement: "A Coverage has each class at most once, except alternatenetwork, group and plan.",
            remedy: "Keep the class that is on the printed card, and remove the others.",
            .eachCoverage { coverage, _ in
                var seen: Set<UTF8Text> = []
                return coverage.list("class").compactMap { element in
                    guard let code = InsuranceCard.classCode(of: element), InsuranceCard.single.contains(code),
                        !seen.insert(code).inserted
                    else { return nil }
                    return Problem("the Coverage has the class \(code) twice", at: element)
                }
            }),
        c4dic(
            "cost",
            requirement:
                "`costToBeneficiary` of a Coverage has a `type`, and a `valueMoney` with value and currency, or with the guide's extension "
                + "that has a text, but not both.",
            remedy: "Write an amount with its currency, or a text in the extension.",
            .eachCoverage { coverage, _ in
                coverage.list("costToBeneficiary").compactMap { cost in
                    InsuranceCard.objection(toCost: cost).map { Problem("a cost of the Coverage \($0)", at: cost) }
                }
            }),
        c4dic(
            "name", requirement: "A Patient has one `name`, which has `family`.",
            remedy: "Write the family name in `family` of the one name.",
            .insuranceCard { card, _ in
                card.patients.problems { patient in
                    let names = patient.list("name")
                    guard names.count == 1 else {
                        return [Problem("the Patient has \(names.count) names, not 1", at: "name", of: patient)]
                    }
                    return names[0].optional("family") != nil
                        ? [] : .found("the name of the Patient has no `family`", at: names[0], member: "family")
                }
            }),
        c4dic(
            "passcode", requirement: "A link to an insurance card needs no passcode.",
            remedy: "Make the link without the flag P.",
            .link { link in
                guard link.policy.profiles.contains(.insuranceCard), link.reading.link?.needsPasscode == true else {
                    return []
                }
                return .found("the link needs a passcode (flag P)")
            }),
        c4dic(
            "meta", severity: .warning,
            requirement: "A Coverage, an Organization and a Patient have `meta.lastUpdated` and `meta.profile`.",
            remedy: "Write both. A card in a QR code leaves `meta` out (SHC-B2), so hand the card out by a link.",
            .insuranceCard { card, _ in
                (card.coverages + card.organizations + card.patients).problems { resource in
                    ["lastUpdated", "profile"].compactMap { name in
                        guard resource["meta"]?.optional(name) == nil else { return nil }
                        let type = resource["resourceType"]?.string?.description ?? "resource"
                        return Problem(
                            "the \(type) has no `meta.\(name)`", at: resource["meta"] ?? resource,
                            member: resource["meta"] == nil ? "meta" : name)
                    }
                }
            }),
    ]
}
