import Credentials
import Encodings
package import FHIR

/// Records as one JSON document.
struct RecordsJSON: Report {
    private var writer: JSONWriter
    private let names: CodeNames

    init(names: CodeNames, to destination: Destination) {
        self.names = names
        writer = JSONWriter(layout: .indented, escapesUnprintable: destination.isTerminal)
    }

    mutating func begin(to sink: ReportSink) throws {
        writer.begin(.object)
        writer.member("schemaVersion", 1)
        writer.write(names.lists, as: "codeLists")
        writer.name("records")
        writer.begin(.array)
    }

    mutating func add(_ card: CardRecords, to sink: ReportSink) throws {
        guard !card.records.isEmpty else { return }
        for record in card.records {
            record.write(to: &writer, of: card, isLine: false)
            if writer.bytes.count >= ReportPart.size { try sink(writer.take()) }
        }
        try sink(writer.take())
    }

    mutating func finish(to sink: ReportSink) throws {
        writer.end(.array)
        writer.end(.object)
        try sink(writer.take() + [UInt8(ascii: "\n")])
    }
}

/// Records as NDJSON: one JSON object per line.
struct RecordsNDJSON: Report {
    private var writer: JSONWriter
    private var part = ReportPart()

    init(to destination: Destination) { writer = JSONWriter(escapesUnprintable: destination.isTerminal) }

    mutating func add(_ card: CardRecords, to sink: ReportSink) throws {
        for record in card.records {
            writer.clear()
            record.write(to: &writer, of: card, isLine: true)
            try part.add(writer.bytes, to: sink)
            try part.add(CollectionOfOne(UInt8(ascii: "\n")), to: sink)
        }
        try part.flush(to: sink)
    }

    func finish(to sink: ReportSink) throws {}
}

extension Record {
    /// Writes the record as an object that names its card.
    fileprivate func write(to writer: inout JSONWriter, of card: CardRecords, isLine: Bool) {
        let person = card.person(of: self)
        writer.object { writer in
            writer.member("source", card.source)
            writer.member("iss", card.issuer.url)
            writer.member("subject", person?.name)
            writer.member("birthDate", person?.birthDate)
            write(to: &writer)
            writer.member("subjectIndex", subjectIndex)
            writer.member("signerCountry", card.signerCountry)
            writer.member("issuerMismatch", card.isMismatched ? true : nil)
            writer.member("transliterated", person?.transliterated)
            writer.member("issuerName", card.issuerName)
            PersonDetails.write(person?.details, to: &writer)
            writer.member("trust", card.trust.rawValue)
            writer.member("warnings", card.warningCodes(of: self).map(\.rawValue))
            if isLine { writer.member("schemaVersion", 1) }
        }
    }

    /// Writes the record's members, which are the same in every JSON output. All are always there, so that the output can become a table.
    func write(to writer: inout JSONWriter) {
        writer.member("resourceType", resourceType)
        writer.member("type", type?.rawValue)
        writer.member("display", display)
        writer.member("displaySource", displaySource?.rawValue)
        writer.objects("codes", codes) { code, writer in
            writer.member("system", code.system)
            writer.member("code", code.code)
        }
        writer.member("date", date)
        writer.member("status", status)
        writer.member("verificationStatus", verificationStatus)
        writer.member("notDone", isNotDone ? true : nil as Bool?)
        writer.member("absent", isAbsent ? true : nil as Bool?)
        writer.member("notCounted", uncounted)
        writer.member("isSubpotent", isSubpotent)
        writer.member("issuerDisplay", RecordText.otherWords(self))
        writer.member("performer", performer)
        writer.member("lotNumber", lotNumber)
        writer.member("manufacturer", manufacturer)
        writer.member("result", RecordText.result(self))
        writer.member("orderOnCard", order)
        writer.object("dose", dose) { dose, writer in
            writer.member("number", Int(clamping: dose.number))
            writer.member("of", Int(clamping: dose.total))
        }
        writer.member("country", country)
        writer.member("identifier", identifier)
        writer.member("validFrom", validFrom)
        writer.member("validUntil", validUntil)
        writer.member("disease", diseaseName)
        guard let coverage else { return }
        writer.name("coverage")
        coverage.write(to: &writer)
    }
}

extension PersonDetails {
    /// Writes the members of the person; all are null if there is none.
    static func write(_ details: PersonDetails?, to writer: inout JSONWriter) {
        writer.member("sex", details?.sex)
        writer.member("nationality", details?.nationality)
        writer.object("document", details?.documentNumber) { number, writer in
            writer.member("number", number)
            writer.member("type", details?.documentType)
        }
        writer.member("guardian", details?.guardian)
    }
}

extension CoverageDetails {
    /// Writes the object `coverage`.
    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            for (name, text) in CoverageText.members { writer.member(name, text(self)) }
            writer.objects("costs", costs) { cost, writer in
                writer.member("type", cost.type)
                writer.member("value", cost.value)
            }
            writer.objects("contacts", contacts) { contact, writer in
                writer.member("purpose", contact.purpose)
                writer.member("system", contact.system)
                writer.member("value", contact.value)
            }
        }
    }
}

/// The lists of codes in use, or the codes that a search found, as one JSON document.
package enum CodesJSON {
    /// The lists.
    package static func text(_ lists: [KnownCodeList], to destination: Destination) -> [UInt8] {
        JSONWriter.document(to: destination) { writer in
            writer.objects("lists", lists) { list, writer in
                writer.member("name", list.name)
                writer.member("date", list.date)
                writer.member("dated", list.isDated)
                writer.member("source", list.source.rawValue)
                writer.member("count", list.count)
                writer.member("systems", list.systems)
                writer.member("origin", list.origin)
            }
        }
    }

    /// The codes that were found.
    package static func text(_ found: [FoundCode], to destination: Destination) -> [UInt8] {
        JSONWriter.document(to: destination) { writer in
            writer.objects("codes", found) { code, writer in
                writer.member("system", code.code.system)
                writer.member("code", code.code.code)
                writer.member("display", code.name?.display)
                writer.member("displaySource", code.name?.source.rawValue)
                writer.member("group", code.group)
                writer.member("covid19", code.isOfCOVID19)
                writer.member("tradeNames", code.tradeNames)
                writer.write(code.lists, as: "lists")
            }
        }
    }
}

extension JSONWriter {
    /// Writes lists of codes, so that an archive shows what was known.
    mutating func write(_ lists: [KnownCodeList], as name: StaticString) {
        objects(name, lists) { list, writer in
            writer.member("name", list.name)
            writer.member("date", list.date)
            writer.member("source", list.source.rawValue)
        }
    }
}
