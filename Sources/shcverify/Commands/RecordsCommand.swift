import ArgumentParser
import FHIR
import JSON
import SMARTHealthCards

/// `shcverify records INPUT…`: the records of verified cards.
struct RecordsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "records",
        abstract: "List the records of verified cards, one a line.",
        discussion: """
            A card that does not verify contributes nothing, and sets the exit code.

            --record-type, --since and --until choose among the records: one without a date is in no interval, and one that was \
            not done counts as no type. (In verify and batch they are requirements on the card.)

            CSV has the same columns as JSON has members. "codes" holds all codes as system|code, separated by commas; a \
            backslash precedes a character that stands for itself (as in FHIR searches). So that no spreadsheet calculates what \
            a card says, an apostrophe precedes whatever could begin a formula: = + - @ in any width at the beginning of a \
            cell, or after a semicolon or a tab in it. A person's name is cut after 300 characters, in JSON too.
            """)

    @OptionGroup(title: "Input") var inputs: InputOptions
    @OptionGroup var verification: VerificationOptions

    @Option(
        name: .customLong("resource-type"),
        help: ArgumentHelp("Only records of this FHIR resource type. Repeatable.", valueName: "type"))
    var resourceType: [String] = []

    @Option(
        name: .customLong("identifier"),
        help: ArgumentHelp(
            "Only the record of this fullUrl, id or business identifier. Repeatable.", valueName: "id"))
    var identifier: [String] = []

    @Option(
        name: .customLong("format"),
        help: "text: a table; json: one JSON document; csv: for a spreadsheet; ndjson: a JSON object a line.")
    var format = RecordsReport.Format.text

    func validate() throws {
        try inputs.requireInput()
        // Nothing is of a type that is misspelt, and that would look like a card without records.
        for type in resourceType {
            guard case .resource = try? RequiredRecordType(type) else {
                throw ValidationError("--resource-type \(type): there is no such FHIR resource type.")
            }
        }
    }

    @MainActor
    func run() async throws {
        var policy = try verification.policy()
        let names = policy.codeNames
        // Here the query chooses among records. A card that has none of them is no worse for that.
        let query = policy.recordQuery
        policy.recordQuery = nil
        var report = RecordsReport(
            format: format, width: StandardStreams.width, escapesUnprintable: StandardStreams.isTerminal)
        let exitCode = try await verification.verify(inputs, policy: policy) { verdict in
            guard let card = verdict.verified?.card,
                let contents = CardContents(card.claims, names: names)
            else { return }
            let bundle = FHIRBundle(card.fhirBundle)
            let records = contents.records.filter { record in
                query?.selects(record, names: names) != false && isWanted(record, in: bundle)
            }
            let source = RecordsReport.Source(
                card: verdict.examined.presented.source, issuer: card.issuer.url, subjects: contents.subjects)
            try report.add(records, from: source) { try StandardStreams.write($0) }
        }
        try StandardStreams.write(report.finish())
        if exitCode != 0 { throw ExitCode(exitCode) }
    }

    private func isWanted(_ record: Record, in bundle: FHIRBundle) -> Bool {
        guard resourceType.isEmpty || resourceType.contains(where: { record.resourceType == UTF8Text($0) }) else {
            return false
        }
        guard !identifier.isEmpty else { return true }
        let entry = bundle.entries[record.entryIndex].value
        var names = [entry["fullUrl"]?.string, entry["resource"]?["id"]?.string].compactMap(\.self)
        if let identifiers = entry["resource"]?["identifier"]?.elements {
            names += identifiers.compactMap { $0["value"]?.string }
        }
        let wanted = identifier.map { UTF8Text($0) }
        return names.contains { wanted.contains($0) }
    }
}
