import Encodings
import FHIR

/// What only insurance cards say, the same in all reports on records.
enum CoverageText {
    /// The members with one value, by their names in JSON and in CSV, in their order there.
    static let members: [(name: StaticString, text: @Sendable (CoverageDetails) -> UTF8Text?)] = [
        ("payer", { $0.payer }), ("payerId", { $0.payerID }), ("memberId", { $0.memberID }),
        ("subscriberId", { $0.subscriberID }), ("relationship", { $0.relationship }), ("group", { $0.group }),
        ("groupName", { $0.groupName }), ("plan", { $0.plan }), ("planName", { $0.planName }),
        ("network", { $0.network }), ("rxBin", { $0.rxBIN }), ("rxPcn", { $0.rxPCN }), ("rxGroup", { $0.rxGroup }),
        ("rxId", { $0.rxID }), ("cardIssued", { $0.cardIssued }),
    ]

    /// The columns of tables for people. The payer and the name of the plan stand in columns that all records have.
    static let columns: [(title: String, text: @Sendable (CoverageDetails) -> String?)] = [
        ("Payer ID", { $0.payerID?.description }), ("Member", { $0.memberID?.description }),
        ("Subscriber", { $0.subscriberID?.description }), ("Relationship", { $0.relationship?.description }),
        ("Group", { together($0.groupName, $0.group) }), ("Plan", { $0.plan?.description }),
        ("Network", { $0.network?.description }), ("RxBIN", { $0.rxBIN?.description }),
        ("RxPCN", { $0.rxPCN?.description }), ("RxGrp", { $0.rxGroup?.description }),
        ("RxID", { $0.rxID?.description }), ("Card issued", { $0.cardIssued?.description }),
        ("Costs", { joined($0.costs.map { together($0.type, $0.value) }) }),
        ("Contacts", { joined($0.contacts.map { together($0.purpose, $0.value) }) }),
    ]

    /// A name and a number, or one of them.
    private static func together(_ name: UTF8Text?, _ number: UTF8Text?) -> String? {
        let parts = [name, number].compactMap { $0?.description }
        return parts.isEmpty ? nil : parts.joined(separator: " ")
    }

    private static func joined(_ parts: [String?]) -> String? {
        let parts = parts.compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }
}
