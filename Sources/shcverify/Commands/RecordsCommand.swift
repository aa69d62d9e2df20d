import ArgumentParser
import FHIR
import JSON
import SMARTHealthCards

/// `shcverify records INPUT…`: the records of verified cards, one a line.
struct RecordsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "records",
        abstract: "List the records of verified cards, one a line.",
        discussion: "A card that does not verify contributes nothing, and sets the exit code.")

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
        let policy = try verification.policy()
        var report = RecordsReport(
            format: format, width: StandardStreams.width, escapesUnprintable: StandardStreams.isTerminal)
        let exitCode = try await verification.verify(inputs, policy: policy) { verdict in
            guard let card = verdict.verified?.card,
                let contents = CardContents(card.claims, names: policy.codeNames)
            else { return }
            let bundle = FHIRBundle(card.fhirBundle, maximumEntries: Bounds.bundleEntries)
            for record in contents.records where isWanted(record, in: bundle) {
                let source = RecordsReport.Source(verdict: verdict, card: card, contents: contents, record: record)
                try StandardStreams.write(report.add(record, from: source))
            }
        }
        try StandardStreams.write(report.finish())
        if exitCode != 0 { throw ExitCode(exitCode) }
    }

    private func isWanted(_ record: Record, in bundle: FHIRBundle) -> Bool {
        guard resourceType.isEmpty || resourceType.contains(record.resourceType) else { return false }
        guard !identifier.isEmpty else { return true }
        let entry = bundle.entries[record.entryIndex].value
        var names = [entry["fullUrl"]?.string, entry["resource"]?["id"]?.string].compactMap(\.self)
        if let identifiers = entry["resource"]?["identifier"]?.elements {
            names += identifiers.compactMap { $0["value"]?.string }
        }
        return names.contains { identifier.contains($0) }
    }
}
