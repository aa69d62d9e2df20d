import FHIR

/// One record in one line.
enum RecordLine {
    /// When, what, with which result, and by whom. A status that changes what the record means is always shown.
    static func text(for record: Record) -> String {
        var parts = [record.date ?? "no date", what(record)]
        if let result = record.result?.text { parts.append("result \(result)") }
        if let status = record.status { parts.append(record.isNotDone ? "\(status), NOT DONE" : status) }
        if record.isSubpotent == true { parts.append("SUBPOTENT") }
        if let performer = record.performer { parts.append(performer) }
        if let lot = record.lotNumber { parts.append("lot \(lot)") }
        return parts.map { TerminalText.printable($0, upTo: 120) }.joined(separator: "  ")
    }

    private static func what(_ record: Record) -> String {
        let name =
            if let display = record.display {
                display
            } else if let code = record.codes.first {
                [code.system.map(shortName), code.code].compactMap(\.self).joined(separator: " ")
            } else {
                ""
            }
        return name.isEmpty ? record.resourceType : "\(record.resourceType) \(name)"
    }

    /// Code systems by the name that people know them by; an unknown one by its address.
    private static func shortName(_ system: String) -> String {
        switch system {
        case "http://hl7.org/fhir/sid/cvx": "CVX"
        case "http://snomed.info/sct": "SNOMED CT"
        case "http://loinc.org": "LOINC"
        default: system
        }
    }
}
