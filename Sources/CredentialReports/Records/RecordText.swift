import Encodings
import FHIR

/// The parts of a record in words, the same in all reports.
enum RecordText {
    /// What the record is and what it is about, such as `Allergy: Penicillin`. The names of vaccines and tests need no such word.
    static func name(of record: Record) -> String {
        let subject = subject(of: record)
        let speaks = [.immunization, .laboratory, .vitalSign, .coverage].contains(record.type) || record.isAbsent
        let kind = record.type.map { UTF8Text($0.rawValue.capitalizedFirst) } ?? record.resourceType
        // "Allergy: Latex allergy" would say it twice.
        let isSaid = UTF8Text(subject).asciiLowercased.utf8.contains(kind.asciiLowercased.utf8)
        return speaks || isSaid ? subject : "\(kind): \(subject)"
    }

    /// The name of the vaccine, test or condition that the record is about. Without a name, it is what a list knows about a code, or else
    /// the first code with its system. Without a code, it is the resource type. If the issuer's words differ from those of the code list,
    /// both are shown.
    private static func subject(of record: Record) -> String {
        if let display = record.display {
            if let words = otherWords(record), words.asciiLowercased != display.asciiLowercased {
                return "\(display) (the issuer says: \(words))"
            }
            // CDC writes "yellow fever live".
            return record.displaySource == .cvx ? display.description.capitalizedFirst : display.description
        }
        if let kind = record.concept.kind { return kind.description }
        guard let code = record.codes.first else { return record.resourceType.description }
        let system = code.canonical.system.map { systemNames[$0] ?? $0.description }
        return [system, code.code.description].compactMap(\.self).joined(separator: " ")
    }

    /// The name of the record's person, among the persons on the card.
    static func person(of record: Record, among subjects: [Subject]) -> String {
        guard let index = record.subjectIndex, subjects.indices.contains(index) else { return "not linked to a person" }
        return subjects[index].name?.description ?? "person \(index + 1)"
    }

    /// The disease; nil if the record's name says it. If no list names it, its code, so that the record does not look like one of a known
    /// disease.
    static func disease(of record: Record) -> String? {
        guard record.diseaseName != record.display else { return nil }
        return record.diseaseName?.description ?? record.disease.map { "\($0.code) (in no list)" }
    }

    /// The status, and everything else that changes the meaning of the record.
    static func status(_ record: Record) -> String {
        let status = record.isNotDone && record.status == "not-done" ? nil : record.status
        let loud: [UTF8Text?] = ["refuted", "entered-in-error"]
        var parts = [status, record.verificationStatus]
            .compactMap { loud.contains($0) ? $0?.description.uppercased() : $0?.description }
        // An order such as a MedicationRequest says what is to be done, or not.
        if record.isNotDone {
            let isOrder = record.resourceType.utf8.suffix(7).elementsEqual("Request".utf8)
            parts.append(isOrder ? "NOT TO BE DONE" : "NOT DONE")
        }
        if record.isSubpotent == true { parts.append("SUBPOTENT") }
        if record.isAbsent { parts.append("NONE, OR NOT KNOWN") }
        if record.hasUnknownModifier { parts.append("CHANGED BY AN UNKNOWN EXTENSION") }
        if let lapse = record.lapse { parts.append("NOT IN FORCE: \(lapse)") }
        return parts.joined(separator: ", ")
    }

    /// The result with the issuer's interpretation: `6.30 mg/dL (high; usual 3.5 to 5.0 mg/dL)`.
    static func result(_ record: Record) -> String? {
        let parts = record.results.compactMap { result -> String? in
            guard let value = result.text ?? result.absentReason?.text else { return nil }
            var notes = result.interpretation.compactMap { $0.text?.description }
            if let range = result.referenceRange { notes.append("usual \(range)") }
            let label = result.label?.text.map { "\($0): " } ?? ""
            return label + value.description + (notes.isEmpty ? "" : " (\(notes.joined(separator: "; ")))")
        }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    /// The issuer's own words; nil if the record's name already consists of them.
    static func otherWords(_ record: Record) -> UTF8Text? {
        record.displaySource == .issuer ? nil : record.concept.issuerWords
    }

    /// Codes in the form of FHIR searches (R4, "token"): `system|code`, separated by commas. A backslash escapes the
    /// separators.
    static func tokens(_ codes: [Code]) -> String {
        let escaped = { (text: UTF8Text) in
            text.unicodeScalars.reduce(into: "") { result, scalar in
                if "\\|,$".unicodeScalars.contains(scalar) { result.unicodeScalars.append("\\") }
                result.unicodeScalars.append(scalar)
            }
        }
        return codes.map { "\(escaped($0.system ?? ""))|\(escaped($0.code))" }.joined(separator: ",")
    }

    /// The common names of code systems.
    private static let systemNames = [
        Code.cvx: "CVX", Code.snomed: "SNOMED CT", Code.loinc: "LOINC", Code.icd11: "ICD-11",
    ]
}

extension String {
    /// The text with a capital first letter.
    var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}

/// What only WHO's certificate of vaccination says about a person, the same in every report.
struct PersonDetails {
    let sex: String?
    let nationality: String?
    let documentNumber: String?
    let documentType: String?
    let guardian: String?

    /// - Parameter length: the number of characters to which each text is cut; nil to cut none.
    init(_ subject: Subject, cutTo length: Int? = nil) {
        let shown = { (text: UTF8Text) in length.map { text.cut(to: $0) } ?? text.description }
        let text = { (text: UTF8Text?) in text.map(shown) }
        sex = text(subject.sex)
        nationality = text(subject.nationality)
        documentNumber = text(subject.document?.number)
        documentType = text(subject.document?.type)
        guardian = text(subject.guardian)
    }
}

extension CodeNames {
    /// The lists of codes that were in use, in one line.
    var listsInWords: String {
        let words = lists.map { list in
            "\(list.name)" + (list.date.map { " of \($0)" } ?? "")
                + (list.source == .builtIn ? "" : " (\(list.source.rawValue))")
        }
        return "Lists of codes: \(words.joined(separator: ", "))."
    }
}

/// What only insurance cards say, the same in all reports on records.
enum CoverageText {
    /// The members with one value, by their names in JSON and in CSV, in order.
    static let members: [(name: StaticString, text: @Sendable (CoverageDetails) -> UTF8Text?)] = [
        ("payer", { $0.payer }), ("payerId", { $0.payerID }), ("memberId", { $0.memberID }),
        ("subscriberId", { $0.subscriberID }), ("relationship", { $0.relationship }), ("group", { $0.group }),
        ("groupName", { $0.groupName }), ("plan", { $0.plan }), ("planName", { $0.planName }),
        ("network", { $0.network }), ("rxBin", { $0.rxBIN }), ("rxPcn", { $0.rxPCN }), ("rxGroup", { $0.rxGroup }),
        ("rxId", { $0.rxID }), ("cardIssued", { $0.cardIssued }),
    ]

    /// The columns of tables for people. The payer and the name of the plan are in columns that all records have.
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

/// A column of a table of records, the same in text and HTML.
package struct RecordColumn {
    /// The words above the column.
    let title: String
    /// The cell of each record; empty if the record has no such value.
    let cells: [String]

    /// The columns for some records. Empty columns are left out.
    ///
    /// - Parameters:
    ///   - records: the records.
    ///   - subjects: the persons on the card, if the table must name the person of each record; nil if the persons are named elsewhere.
    static func columns(of records: [Record], subjects: [Subject]? = nil) -> [RecordColumn] {
        let isOfOne = subjects?.count == 1 && records.allSatisfy { $0.subjectIndex == 0 }
        let columns: [(String, (Record) -> String?)] =
            [
                ("Date", { $0.date?.description }), ("Record", { RecordText.name(of: $0) }),
                ("Disease", { RecordText.disease(of: $0) }), ("Result", { RecordText.result($0) }),
                ("Status", { RecordText.status($0) }), ("On this card", { $0.order?.description }),
                ("Dose", { $0.dose?.description }), ("Valid from", { $0.validFrom?.description }),
                ("Valid until", { $0.validUntil?.description }), ("Country", { $0.country?.description }),
                ("Person", { record in isOfOne ? nil : subjects.map { RecordText.person(of: record, among: $0) } }),
                ("By", { $0.performer?.description }), ("Lot", { $0.lotNumber?.description }),
                ("Manufacturer", { $0.manufacturer?.description }),
            ] + CoverageText.columns.map { title, text in (title, { $0.coverage.flatMap(text) }) }
        return columns.compactMap { title, cell in
            let cells = records.map { TerminalText.beginning(of: cell($0) ?? "", upTo: 200) }
            return cells.contains { !$0.isEmpty } ? RecordColumn(title: title, cells: cells) : nil
        }
    }
}
