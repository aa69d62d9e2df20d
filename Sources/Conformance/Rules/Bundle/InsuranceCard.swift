import Containers
import Credentials
import Encodings
import FHIR

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
