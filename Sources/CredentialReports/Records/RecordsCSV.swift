import Credentials
import Encodings
import FHIR

/// Records as comma-separated values, for a spreadsheet.
struct RecordsCSV: Report {
    private var part = ReportPart()
    private var isFirst = true

    mutating func add(_ card: CardRecords, to sink: ReportSink) throws {
        for record in card.records {
            if isFirst { try part.add(Self.head, to: sink) }
            isFirst = false
            try part.add(CSV.line(Self.cells(record, of: card)), to: sink)
        }
        try part.flush(to: sink)
    }

    mutating func finish(to sink: ReportSink) throws {
        if isFirst { try sink(Self.head) }
    }

    /// The same names as those of the JSON members.
    private static let head = CSV.line(
        [
            "source", "iss", "subject", "birthDate", "resourceType", "type", "display", "displaySource",
            "issuerDisplay", "codes", "date", "status", "verificationStatus", "notDone", "isSubpotent", "performer",
            "lotNumber", "manufacturer", "result", "orderOnCard", "subjectIndex", "country", "identifier", "dose",
            "validUntil", "signerCountry", "issuerMismatch", "transliterated", "issuerName", "disease", "validFrom",
            "sex", "nationality", "document", "documentType", "guardian",
        ] + CoverageText.members.map(\.name.description) + ["absent", "notCounted", "trust", "warnings"])

    private static func cells(_ record: Record, of card: CardRecords) -> [String] {
        let person = card.person(of: record)
        let cells: [(any CustomStringConvertible)?] = [
            card.source, card.issuer.url, person?.name, person?.birthDate, record.resourceType, record.type?.rawValue,
            record.display, record.displaySource?.rawValue, RecordText.otherWords(record),
            RecordText.tokens(record.codes), record.date, record.status, record.verificationStatus,
            record.isNotDone ? "true" : nil, record.isSubpotent, record.performer, record.lotNumber,
            record.manufacturer, RecordText.result(record), record.order, record.subjectIndex,
            record.country, record.identifier, record.dose, record.validUntil, card.signerCountry,
            card.isMismatched ? "true" : nil, person?.transliterated, card.issuerName, record.diseaseName,
            record.validFrom, person?.details.sex, person?.details.nationality, person?.details.documentNumber,
            person?.details.documentType, person?.details.guardian,
        ]
        let coverage = record.coverage
        let ofCoverage = CoverageText.members.map { _, text in coverage.flatMap(text) }
        let last: [(any CustomStringConvertible)?] = [
            record.isAbsent ? "true" : nil, record.uncounted, card.trust.rawValue,
            card.warningCodes(of: record).map(\.rawValue).joined(separator: ","),
        ]
        return (cells + ofCoverage + last).map { TerminalText.printable($0?.description ?? "") }
    }
}

/// Comma-separated values (RFC 4180).
enum CSV {
    /// A line of cells, in UTF-8.
    ///
    /// Programs that read the file see scalars, so the cells are escaped scalar by scalar: a comma with a combining
    /// mark is still a comma. Text on a card must not become a formula in a spreadsheet, nor a command in the log of a
    /// build server.
    static func line(_ cells: [String]) -> [UInt8] {
        var line: [UInt8] = []
        for (place, cell) in cells.enumerated() {
            if place > 0 { line.append(UInt8(ascii: ",")) }
            let text = harmless(cell)
            guard text.contains(where: { "\",\r\n".utf8.contains($0) }) else {
                line += text
                continue
            }
            line.append(UInt8(ascii: "\""))
            for byte in text {
                if byte == UInt8(ascii: "\"") { line.append(byte) }
                line.append(byte)
            }
            line.append(UInt8(ascii: "\""))
        }
        line += "\r\n".utf8
        return line
    }

    /// Adds an apostrophe before everything that a spreadsheet would take for a formula, or a build server for a
    /// command.
    ///
    /// A formula can begin a cell. It can also begin inside one, if a program splits the file differently: spreadsheets
    /// in many countries split cells at semicolons, and some programs at tabs. They then ignore the quotation marks,
    /// and line breaks inside a cell also begin a new cell.
    private static func harmless(_ cell: String) -> [UInt8] {
        let scalars = cell.unicodeScalars
        var result: [UInt8] = []
        result.reserveCapacity(cell.utf8.count + 1)
        // Whether everything so far may stand before a formula: since the cell began, and since the last separator.
        var isAtBegin = true
        var isAfterSeparator = false
        for index in scalars.indices {
            let scalar = scalars[index]
            if isAtBegin || isAfterSeparator {
                let isFormula = formulaSigns.contains(scalar)
                let isCommand = scalar == ":" && scalars[scalars.index(after: index)...].first == ":"
                if isAtBegin, isFormula || isCommand { result.insert(UInt8(ascii: "'"), at: 0) }
                if isAfterSeparator, isFormula { result.append(UInt8(ascii: "'")) }
                let mayPrecede = mayPrecede(scalar)
                isAtBegin = isAtBegin && mayPrecede
                isAfterSeparator = isAfterSeparator && mayPrecede
            }
            if scalar == "#", result.last == UInt8(ascii: "#") { result.append(UInt8(ascii: " ")) }
            if ";\t\r\n".unicodeScalars.contains(scalar) { isAfterSeparator = true }
            result.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        }
        return result
    }

    /// The characters with which a formula can begin, in any of their widths and forms.
    private static let formulaSigns = Set("=+-@＝＋－＠﹦﹢﹣﹫⁼⁺⁻₌₊₋−".unicodeScalars)

    /// Whether programs skip this character before a formula.
    private static func mayPrecede(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .spaceSeparator, .lineSeparator, .paragraphSeparator: true
        default: scalar == "\"" || scalar == "\u{FFFD}"
        }
    }
}
