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
    /// Programs that read the file see scalars, so the cells are escaped scalar by scalar: a comma with a combining mark is still a comma.
    /// Text on a card must not become a formula in a spreadsheet, or a command in the log of a build server.
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

    /// Adds an apostrophe before everything that a spreadsheet would take for a formula, or a build server for a command.
    ///
    /// A formula can begin a cell. It can also begin inside one, if a program splits the file differently: spreadsheets in many countries
    /// split cells at semicolons, and some programs at tabs. They then ignore the quotation marks, and a line break inside a cell also
    /// begins a new cell.
    private static func harmless(_ cell: String) -> [UInt8] {
        let scalars = cell.unicodeScalars
        var result: [UInt8] = []
        result.reserveCapacity(cell.utf8.count + 1)
        // Whether a formula may follow everything so far: since the beginning of the cell, and since the last separator.
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

    /// The characters with which a formula can begin, in all their widths and forms.
    private static let formulaSigns = Set("=+-@＝＋－＠﹦﹢﹣﹫⁼⁺⁻₌₊₋−".unicodeScalars)

    /// Whether programs skip this character before a formula.
    private static func mayPrecede(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .spaceSeparator, .lineSeparator, .paragraphSeparator: true
        default: scalar == "\"" || scalar == "\u{FFFD}"
        }
    }
}

/// Records as a page: one table, with the records of each person below the person's name.
///
/// The page begins with the number of records, and empty columns are left out, so the records are kept in memory.
struct RecordsHTML: Report {
    private let terms: ReportTerms
    private var records: [Record] = []
    /// The records of each person on each card, with what is above them.
    private var groups: [(head: [Words], range: Range<Int>)] = []
    private var cards = 0
    /// What the passes of the cards do not mean.
    private var notes = PassNotes()

    init(_ terms: ReportTerms) { self.terms = terms }

    mutating func add(_ card: CardRecords, to sink: ReportSink) throws {
        cards += 1
        notes.add(card.notes)
        for (place, group) in card.byPerson.enumerated() {
            let start = records.count
            records += group
            let warnings = card.warnings(above: group, at: place)
            groups.append((head(card, group.first.flatMap(card.person), warnings: warnings), start..<records.count))
        }
    }

    func finish(to sink: ReportSink) throws {
        var lead: [Words] = ["Cards that did not verify are not on this page."]
        if notes.testSigners > 0 {
            lead.append("TEST: signers of cards marked so are only on a list for tests. Nobody vouches for them.")
        }
        if notes.uncheckedIssuers > 0 {
            lead.append("The signatures are valid. It was not checked whether the issuers are trusted.")
        }
        lead.append(Words(terms.time, lists: terms.lists))
        if notes.openRevocations > 0 { lead.append("It was not checked whether the cards were revoked.") }
        if notes.outdatedByLink > 0 { lead.append("A link says that what it gave is no longer valid.") }
        switch terms.time.moment {
        case .now: break
        case .given(let moment):
            lead.append("The cards were valid as of \(moment.toTheSecond.description), which is not now.")
        case .issue: lead.append("The cards were valid when they were issued. That says nothing about now.")
        }
        let page = HTMLPage(
            headline: "\(records.count.counted("record")) of \(cards.counted("verified card"))",
            style: cards > 0 && notes.isEmpty && terms.time.moment == .now ? .good : .unsure, lead: lead,
            foot: terms.foot, HTMLPage.caution)
        let table = Block.records(RecordColumn.columns(of: records), groups: groups)
        try page.write(groups.isEmpty ? [] : [.article(nil, [table])], to: sink)
    }

    /// The person and the card of a group, then the warnings above its records.
    private func head(
        _ card: CardRecords, _ person: CardRecords.Person?, warnings: [CredentialWarning]
    ) -> [Words] {
        var name: Words =
            person?.name.map { "\(from: $0, upTo: 300, .strong)" }
            ?? "\("Name \(CardRecords.wordsForNoName(of: person))", .strong)"
        if let text = person?.otherLetters { name = "\(name) (transliterated: \(from: text, upTo: 300))" }
        for other in person?.others ?? [] { name = "\(name) (also: \(from: other, upTo: 300))" }
        if let born = person?.birthDate { name = "\(name), born \(from: born, upTo: 300)" }
        let issuer = card.namedIssuer
        let trust = terms.tool.withoutOptions.words(for: card.trust)
        var about: Words =
            "\(card.notes.testSigners > 0 ? "TEST. Card " : "Card ")\(path: card.source), issuer \(issuer.before)"
        about = "\(about)\(from: issuer.name) (\(trust))\(issuer.afterTrust)"
        for words in card.issuerWords { about = "\(about), \(words)" }
        return [name, about] + warnings.map { "\($0.code.rawValue, .code): \(message: $0.message)" }
    }
}

/// Records as text for people: a table for each person, below the names of the card and the person. Before them comes what the pass of the
/// card does not mean.
struct RecordsText: Report {
    private let destination: Destination
    private var isFirst = true

    private let time: VerificationTime
    private let tool: Tool

    init(time: VerificationTime, to destination: Destination, by tool: Tool) {
        self.time = time
        self.tool = tool
        self.destination = Destination(width: destination.width)
    }

    mutating func add(_ card: CardRecords, to sink: ReportSink) throws {
        for (place, group) in card.byPerson.enumerated() {
            guard let first = group.first else { continue }
            let head = head(card, card.person(of: first), warnings: card.warnings(above: group, at: place))
            let table = Block.records(group)
            try sink(TextRenderer.bytes((isFirst ? [] : [.line("")]) + head + [table], to: destination))
            isFirst = false
        }
    }

    /// Records of cards that were valid at another time say nothing about now.
    func finish(to sink: ReportSink) throws {
        let words: Words
        switch time.moment {
        case .given(let moment) where !isFirst: words = "As of \(moment.toTheSecond.description), not now."
        case .issue where !isFirst: words = "Each as of the issue of its card, not now."
        default: return
        }
        try sink(TextRenderer.bytes([.line(""), .line(words)]))
    }

    @Blocks private func head(
        _ card: CardRecords, _ person: CardRecords.Person?, warnings: [CredentialWarning]
    ) -> [Block] {
        let issuer = card.namedIssuer
        let trust = card.trust == .unchecked ? " (\(tool.words(for: card.trust)))" : ""
        if !card.notes.isEmpty { Block.line(Words(Headline.pass(card.notes))) }
        Block.labelled("Card", ["\(from: card.source, upTo: 300)"])
        Block.labelled(
            "Issuer", ["\(issuer.before)\(from: issuer.name)\(trust)\(issuer.afterTrust)"] + card.issuerWords)
        for warning in warnings { Block.labelled("Warning", ["\(warning.code.rawValue): \(message: warning.message)"]) }
        Block.labelled(
            "Name",
            ["\(from: person?.name ?? CardRecords.wordsForNoName(of: person), upTo: 300)"]
                + (person?.otherLetters.map { ["transliterated: \(from: $0, upTo: 300)"] } ?? [])
                + (person?.others ?? []).map { "also: \(from: $0, upTo: 300)" })
        if let born = person?.birthDate { Block.labelled("Born", ["\(from: born, upTo: 300)"]) }
    }
}
