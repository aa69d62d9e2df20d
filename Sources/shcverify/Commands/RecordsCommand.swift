import ArgumentParser
import Containers
import CredentialReports
import Credentials
import Encodings
import FHIR
import Verification

/// `shcverify records INPUT…`: the records of verified cards.
struct RecordsCommand: WaitingCommand, VerifyingCommand {
    static let configuration = CommandConfiguration.of("records")

    @OptionGroup(title: "Input") var inputs: InputOptions
    @OptionGroup(title: "Keys") var keys: KeyOptions
    @OptionGroup(title: "Trust") var trust: TrustOptions
    @OptionGroup(title: "Records") var records: RecordOptions
    @OptionGroup(title: "Network") var network: NetworkOptions
    @Option(help: .of("at.moment"), completion: .list(["issued"]), transform: VerificationTime.Moment.ofOption)
    var at: VerificationTime.Moment?
    @OptionGroup(title: "Links") var links: SharedLinkOptions
    @OptionGroup(title: "Check-in") var checkIn: CheckInOptions

    @Option(help: .of("resource-type"), completion: .list(RequiredRecordType.resourceNames))
    var resourceType: [GivenValues] = []

    @Option(help: .of("identifier")) var identifier: [GivenValues] = []

    @Option(help: ArgumentHelp(RecordsFormat.help)) var format = RecordsFormat.text

    func validate() throws {
        try inputs.requireInput()
        try validateTrust()
        // No record has a misspelt type, so the result would look like a card without records.
        for type in resourceType.all {
            guard case .resource = try? RequiredRecordType(type) else {
                throw ValidationError("--resource-type \(type): there is no such FHIR resource type.")
            }
        }
    }

    nonisolated(nonsending) func perform() async throws -> RunOutcome {
        try CommandSandbox(network, inputs).enter()
        var policy = try VerificationPolicy(self, apps: links.apps)
        let names = policy.codeNames
        // Here the query selects records. A card without such records still verifies.
        let query = policy.recordQuery
        policy.recordQuery = nil
        let (types, identifiers) = (resourceType.wanted, identifier.wanted)
        var report = format.report(
            time: policy.time, names: names, to: StandardStreams.destination(), by: .shcverify,
            trusting: trust.directory.all)
        try report.begin(to: StandardStreams.write)
        var unknownCount = 0
        var tally = VerdictTally(policy.time)
        let run = VerifyRun(network: network, policy: policy)
        let cards = try await run.read(inputs, links, CheckInSession(checkIn))
        let outcome = try await run.verify(cards) { verdict in
            tally.add(verdict)
            guard let claims = verdict.verified?.claims,
                let contents = CardContents(claims, names: names, at: policy.time.moment(for: claims))
            else { return }
            let bundle = claims.fhirBundle.map { FHIRBundle($0) }
            let selections = query?.selections(in: contents, signedTypes: claims.types, names: names)
            let records = contents.records.enumerated().filter { index, record in
                let selection = selections?[index] ?? .selected
                guard selection != .leftOut, isWanted(record, in: bundle, types, identifiers) else { return false }
                if selection == .unknown { unknownCount += 1 }
                return selection == .selected
            }.map(\.element)
            try report.add(
                CardRecords(records, of: verdict, subjects: contents.subjects), to: StandardStreams.write)
        }
        try report.finish(to: StandardStreams.write)
        if unknownCount > 0 {
            StandardStreams.warn(
                "shcverify: \(unknownCount.counted("record was", "records were")) left out, because no list has "
                    + "\(unknownCount == 1 ? "its" : "their") codes; update the lists with \"shcverify codes update\"")
        }
        if format.isForPrograms, let caution = tally.caution { StandardStreams.warn("shcverify: \(caution)") }
        return outcome
    }

    private func isWanted(
        _ record: Record, in bundle: FHIRBundle?, _ types: Set<UTF8Text>?, _ identifiers: Set<UTF8Text>?
    ) -> Bool {
        // As with --record-type, a record of nobody on the card is of no type.
        if let types, !record.isAttributed || !types.contains(record.resourceType) { return false }
        guard let identifiers else { return true }
        var names = [record.identifier].compactMap(\.self)
        if let entry = bundle?.entries[record.entryIndex].value {
            names += [entry["fullUrl"]?.string, entry["resource"]?["id"]?.string].compactMap(\.self)
            if let elements = entry["resource"]?["identifier"]?.elements {
                names += elements.compactMap { $0["value"]?.string }
            }
        }
        return names.contains { identifiers.contains($0) }
    }
}

extension [GivenValues] {
    /// The values that are looked for; nil if there are none.
    fileprivate var wanted: Set<UTF8Text>? { isEmpty ? nil : Set(all.map { UTF8Text($0) }) }
}
