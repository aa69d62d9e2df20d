public import Encodings

/// What an insurance card says besides the members that all records have (FHIR `Coverage`; CARIN Digital Insurance Card, C4DIC).
///
/// All text is as the card writes it. A value that is missing or of another type is nil.
public struct CoverageDetails: Sendable, Hashable {
    /// The payer: the name of its Organization on the card, or else the words of the reference to it.
    public internal(set) var payer: UTF8Text?
    /// The payer's identifier in claims (`payerid`).
    public internal(set) var payerID: UTF8Text?
    /// The number of the insured person: the identifier of type `MB`, or else `um`.
    public internal(set) var memberID: UTF8Text?
    /// The number of the subscriber.
    public internal(set) var subscriberID: UTF8Text?
    /// How the insured person is related to the subscriber, as a code such as `self` or `child`.
    public internal(set) var relationship: UTF8Text?
    /// The number of the group.
    public internal(set) var group: UTF8Text?
    /// The name of the group.
    public internal(set) var groupName: UTF8Text?
    /// The number of the plan.
    public internal(set) var plan: UTF8Text?
    /// The name of the plan.
    public internal(set) var planName: UTF8Text?
    /// The name of the network, or else its number.
    public internal(set) var network: UTF8Text?
    /// The number by which a pharmacy routes a claim (RxBIN, or else RxIIN).
    public internal(set) var rxBIN: UTF8Text?
    /// The processor control number (RxPCN).
    public internal(set) var rxPCN: UTF8Text?
    /// The group for medicines (RxGrp).
    public internal(set) var rxGroup: UTF8Text?
    /// The member's number for medicines (RxID).
    public internal(set) var rxID: UTF8Text?
    /// The day on which the card was issued.
    public internal(set) var cardIssued: UTF8Text?
    /// What the insured person pays.
    public internal(set) var costs: [Cost] = []
    /// How to reach the payer.
    public internal(set) var contacts: [Contact] = []

    /// What the insured person pays for something.
    public struct Cost: Sendable, Hashable {
        /// What it is for, such as `gpvisit`; nil if the card does not say.
        public let type: UTF8Text?
        /// The amount and its currency, such as `20.0 USD`, or words.
        public let value: UTF8Text
    }

    /// A way to reach the payer.
    public struct Contact: Sendable, Hashable {
        /// Who or what answers, such as `PATINF` for patients; nil if the card does not say.
        public let purpose: UTF8Text?
        /// The kind of the address: `phone`, `url`, `email`, …
        public let system: UTF8Text?
        /// The address.
        public let value: UTF8Text
    }
}

extension CoverageDetails {
    /// The address of the guide's extensions.
    private static let extensions = "http://hl7.org/fhir/us/insurance-card/StructureDefinition/"
    /// The extension that says when the card was issued.
    package static let cardIssueDate = extensions + "C4DIC-CardIssueDate-extension"
    /// The extension with a cost in words.
    package static let costInWords = extensions + "C4DIC-BeneficiaryCostString-extension"

    /// Reads what the Coverage itself says. The payer is read elsewhere, since another resource has its name.
    init(_ coverage: JSONValue) {
        memberID = Self.identifier(of: "MB", in: coverage) ?? Self.identifier(of: "um", in: coverage)
        subscriberID = coverage.text("subscriberId")
        relationship = Self.code(coverage["relationship"])
        let classes = coverage.all("class").map { (type: Self.code($0["type"]), value: $0) }
        let found = { (type: UTF8Text) in classes.first { $0.type == type }?.value }
        group = found("group")?.text("value")
        groupName = found("group")?.text("name")
        plan = found("plan")?.text("value")
        planName = found("plan")?.text("name")
        let networkClass = found("network")
        network = networkClass?.text("name") ?? networkClass?.text("value")
        rxBIN = found("rxbin")?.text("value") ?? found("rxiin")?.text("value")
        rxPCN = found("rxpcn")?.text("value")
        rxGroup = found("rxgroup")?.text("value")
        rxID = found("rxid")?.text("value")
        cardIssued = Self.extensionValue(Self.cardIssueDate, of: coverage)?.text("valueDate")
        costs = coverage.all("costToBeneficiary").compactMap { Cost($0) }
    }

    /// Adds the payer.
    ///
    /// - Parameters:
    ///   - organization: the payer's Organization; nil if the card has none.
    ///   - display: the words of the reference to it.
    ///   - hasContacts: whether the contacts are read too.
    mutating func setPayer(_ organization: JSONValue?, display: UTF8Text?, hasContacts: Bool) {
        payer = organization?.text("name") ?? display
        guard let organization else { return }
        payerID = Self.identifier(of: "payerid", in: organization)
        guard hasContacts else { return }
        contacts = organization.all("contact").flatMap { contact -> [Contact] in
            let purpose = Self.code(contact["purpose"])
            return contact.all("telecom").compactMap { telecom in
                telecom.text("value").map { Contact(purpose: purpose, system: telecom.text("system"), value: $0) }
            }
        }
    }

    /// The value of the first identifier of a type.
    private static func identifier(of type: UTF8Text, in resource: JSONValue) -> UTF8Text? {
        for identifier in resource.all("identifier") {
            let codes = identifier["type"].flatMap { CodeableConcept($0) }?.codes ?? []
            if codes.contains(where: { $0.code == type }), let value = identifier.text("value") { return value }
        }
        return nil
    }

    /// The first code of a concept, or else its words.
    fileprivate static func code(_ concept: JSONValue?) -> UTF8Text? {
        concept.flatMap { CodeableConcept($0) }.flatMap { $0.codes.first?.code ?? $0.text }
    }

    /// The extension of an element with an address.
    package static func extensionValue(_ address: String, of element: JSONValue) -> JSONValue? {
        element.all("extension").first { $0["url"]?.isString(address) == true }
    }
}

extension CoverageDetails.Cost {
    /// Reads an element of `costToBeneficiary`; nil if it has neither an amount nor words.
    fileprivate init?(_ cost: JSONValue) {
        type = CoverageDetails.code(cost["type"])
        guard let money = cost["valueMoney"] else { return nil }
        if let words = CoverageDetails.extensionValue(CoverageDetails.costInWords, of: money)?.text("valueString") {
            value = words
        } else if let number = money["value"]?.number {
            value = UTF8Text(number.digits + (money.text("currency").map { " \($0)" } ?? ""))
        } else {
            return nil
        }
    }
}

/// Whether the coverages of a Bundle are in force.
package enum CoverageForce {
    /// A coverage that is not in force.
    package struct Lapse: Sendable, Hashable {
        /// The index of its entry in the Bundle.
        package let entryIndex: Int
        /// Why, in words that follow "it".
        package let words: String
    }

    /// The first coverage that has ended, has not begun, or has another status than `active` or none; nil if there is none.
    ///
    /// - Parameters:
    ///   - bundle: the Bundle.
    ///   - moment: the moment for which this is asked. It is asked for only if there is a coverage.
    package static func firstLapse(in bundle: JSONValue, at moment: () -> FHIRDate) -> Lapse? {
        guard let entries = bundle["entry"]?.elements else { return nil }
        var asked: FHIRDate?
        for (index, entry) in entries.enumerated() {
            guard let resource = entry["resource"], resource["resourceType"]?.isString("Coverage") == true else {
                continue
            }
            let moment = asked ?? moment()
            asked = moment
            guard let words = objection(to: resource, at: moment) else { continue }
            return Lapse(entryIndex: index, words: words)
        }
        return nil
    }

    private static func objection(to coverage: JSONValue, at moment: FHIRDate) -> String? {
        if let objection = statusObjection(to: coverage) { return "has \(objection)" }
        switch RecordValidity(period: coverage["period"]).lapse(at: moment) {
        case .ended?: return "has ended"
        case .notBegun?: return "has not begun"
        case .unreadable?, .ahead?: return "has a period that cannot be read"
        case nil: return nil
        }
    }

    /// What speaks against the status of a coverage; nil if it is `active`.
    static func statusObjection(to coverage: JSONValue) -> String? {
        guard let status = coverage.optional("status") else { return "no status" }
        return status.isString("active") ? nil : "another status than active"
    }
}
