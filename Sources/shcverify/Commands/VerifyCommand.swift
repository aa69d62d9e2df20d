import ArgumentParser
import Containers
import CredentialReports
import Credentials
import Encodings
import Evidence
import FHIR
import Inputs
import SMARTHealthCards
import Verification

/// `shcverify INPUT…`: verifies cards and prints what they record.
struct VerifyCommand: WaitingCommand, VerifyingCommand {
    // If a super command is named, ArgumentParser knows that this is not the root command. Otherwise it would parse the arguments twice
    // more, to look for a request for a completion script. There is no public way to say so.
    static let configuration = CommandConfiguration.of("verify", in: "shcverify")

    @OptionGroup(title: "Input") var inputs: InputOptions
    @OptionGroup(title: "Keys") var keys: KeyOptions
    @OptionGroup(title: "Trust") var trust: TrustOptions
    @OptionGroup(title: "Records") var records: RecordOptions
    @OptionGroup(title: "Network") var network: NetworkOptions
    @Option(help: .of("at.moment"), completion: .list(["issued"]), transform: VerificationTime.Moment.ofOption)
    var at: VerificationTime.Moment?
    @OptionGroup(title: "Links") var links: SharedLinkOptions
    @OptionGroup(title: "Check-in") var checkIn: CheckInOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func validate() throws {
        try inputs.requireInput()
        try validateTrust()
    }

    nonisolated(nonsending) func perform() async throws -> RunOutcome {
        // Opened first: no right is needed to write to a file that is already open.
        let file = try output.handoverFile()
        try CommandSandbox(network, inputs, writing: file?.newPath).enter()
        let policy = try VerificationPolicy(self, apps: links.apps)
        var printer = VerdictPrinter(
            output, policy: policy, trusting: trust.directory.all, handover: file)
        try printer.begin()
        let run = VerifyRun(
            network: network, policy: policy, isQuiet: output.quiet, showsReasons: output.isForPeople)
        let cards = try await run.read(
            inputs, links, CheckInSession(checkIn), keepsUnsigned: output.includeUnsigned)
        let outcome = try await run.verify(cards) { try printer.add($0) }
        try printer.finish()
        return outcome
    }
}

/// Reads and verifies the cards of a command line: the main loop of `verify`, `records` and `fetch-cards`.
final class VerifyRun {
    private let network: any NetworkChoices
    /// What decides about verdicts.
    private let policy: VerificationPolicy
    /// Whether messages leave out persons, records and dates. They do with `--quiet`, because the messages of gates are logged.
    private let isQuiet: Bool
    /// Whether the report for people includes the reasons, so that a terminal need not show them twice.
    private let showsReasons: Bool
    private var made: EvidenceStore?

    init(network: any NetworkChoices, policy: VerificationPolicy, isQuiet: Bool = false, showsReasons: Bool = false) {
        self.network = network
        self.policy = policy
        self.isQuiet = isQuiet
        self.showsReasons = showsReasons
    }

    private var trace: Trace { network.trace }

    /// What issuers publish. It is made once, because it reports whether the cache can be used.
    private func store() throws -> EvidenceStore {
        let store =
            try made ?? Requests(network).evidence(.init(for: policy.cards.trustedIssuers, listing: policy.cards.apps))
        made = store
        return store
    }

    /// Reads all cards of the inputs, including those in inputs that contain further inputs.
    ///
    /// - Parameters:
    ///   - session: what is known about check-ins.
    ///   - keepsUnsigned: whether unsigned FHIR content is kept for a hand-over.
    /// - Returns: the cards, in order.
    nonisolated(nonsending) func read(
        _ inputs: InputOptions, _ links: any LinkChoices, _ session: CheckInSession, keepsUnsigned: Bool = false
    ) async throws -> [PresentedCredential] {
        let start = trace.start
        let now = policy.time.common ?? policy.time.madeAt
        var follower = try LinkFollower(links, network: network, now: now, keepsUnsigned: keepsUnsigned)
        follower.attestations = AttestationJudge(policy: policy.withSharedEvidence.cards) { try self.store() }
        var reader = try await CredentialReader(reading: inputs)
        try reader.addLinksOfCertificates(by: policy)
        try await reader.follow(by: follower)
        reader.openContainers(in: session, at: now)
        let cards = reader.cards()
        trace.end(start, "\(cards.count.counted("card")) read from the inputs")
        return cards
    }

    /// Verifies cards that were read, in order. Prints a line on standard error for each card that does not verify.
    ///
    /// - Parameters:
    ///   - cards: the cards.
    ///   - take: is called with each verdict.
    /// - Returns: the reason of the first card that did not verify.
    nonisolated(nonsending) func verify(
        _ cards: [PresentedCredential], take: (Verdict) throws -> Void
    ) async throws -> RunOutcome {
        try checkSlashes(in: cards)
        var verification = try CredentialVerification(policy: policy, store: store())
        var outcome = RunOutcome()
        var cards = cards[...]
        while !cards.isEmpty {
            let start = trace.start
            let verdicts = try await verification.verdicts(onNextOf: &cards)
            trace.end(start, "\(verdicts.count.counted("verdict"))")
            for verdict in verdicts {
                trace.note(verdict)
                if let reason = verdict.reason {
                    let source = verdict.examined.presented.source
                    let message = Tool.shcverify.message(of: reason, isImpersonal: isQuiet)
                    outcome.warn(
                        source, reason.code, message, isShown: showsReasons && !verdict.isOfUnreadInput)
                }
                try take(verdict)
            }
        }
        return outcome
    }

    /// Throws if keys were given for an issuer with a slash at its end, and the cards name the issuer only without it. If any card has the
    /// slash, the option is right, and each card is judged.
    private func checkSlashes(in cards: [PresentedCredential]) throws {
        let keys = policy.cards.givenKeys
        guard keys.hasIssuersWithSlash else { return }
        let verifier = try CardVerifier(policy: policy.cards)
        let issuers = cards.compactMap { card -> Issuer? in
            guard card.kind != .healthCertificate else { return nil }
            return verifier.examine(card).claims?.issuer.map { Issuer(unchecked: $0) }
        }
        for issuer in issuers {
            guard let given = keys.slashedIssuer(meantFor: issuer), !issuers.contains(given) else { continue }
            throw ValidationError(
                "--jwks \(given.url)=…: the card names its issuer without a slash at the end. Write --jwks \(issuer.url)=…"
            )
        }
    }
}

/// Prints the verdicts of a run as its options say, and prints on standard error what the format cannot express.
struct VerdictPrinter {
    private let options: OutputOptions
    private var report: (any Report<Verdict>)?
    /// The file of `--handover`, and what is written to it; nil if none is asked for.
    private var handover: (file: OutputFile, report: any Report<Verdict>)?
    private var tally: VerdictTally
    /// The containers for which it was already said what is left out. They are kept, so that no other object gets the same identity.
    private var containers: [ObjectIdentifier: any Container] = [:]

    /// - Parameters:
    ///   - options: the format.
    ///   - policy: what decides about the verdicts.
    ///   - lists: the names of the lists of trusted issuers.
    ///   - file: the file of `--handover`.
    init(_ options: OutputOptions, policy: VerificationPolicy, trusting lists: [String], handover file: OutputFile?) {
        self.options = options
        tally = VerdictTally(policy.time)
        handover = file.map { file in
            let report = VerdictFormat.handover.report(
                time: policy.time, names: policy.codeNames, to: Destination(isTerminal: false), by: .shcverify,
                includingUnsigned: options.includeUnsigned)
            return (file, report)
        }
        guard !options.quiet else { return }
        report = options.format.report(
            time: policy.time, names: policy.codeNames, to: StandardStreams.destination(isColoured: options.color.isOn),
            by: .shcverify, trusting: lists, includingUnsigned: options.includeUnsigned, isBrief: options.brief)
    }

    /// Begins the report, before the first verdict.
    mutating func begin() throws { try report?.begin(to: StandardStreams.write) }

    /// Prints a verdict.
    mutating func add(_ verdict: Verdict) throws {
        explainMissing(verdict)
        explainLeftOut(verdict)
        tally.add(verdict)
        try report?.add(verdict, to: StandardStreams.write)
        // The report writes nothing before its end.
        try handover?.report.add(verdict) { _ in }
    }

    /// Ends the report.
    mutating func finish() throws {
        try report?.finish(to: StandardStreams.write)
        explainPasses()
        if options.format == .html, !options.quiet, StandardStreams.isTerminal {
            StandardStreams.warn("shcverify: write this page to a file (> page.html), and open that in a browser")
        }
        guard let file = handover?.file else { return }
        var bundle: [UInt8] = []
        try handover?.report.finish { bundle += $0 }
        if !bundle.isEmpty { try file.write(bundle) }
    }

    // MARK: Standard error

    /// Says what a hand-over leaves out: a line for each card and for each unsigned file.
    private mutating func explainLeftOut(_ verdict: Verdict) {
        guard handover != nil || options.format == .handover && !options.quiet else { return }
        let presented = verdict.examined.presented
        if let words = Handover.leftOut(of: verdict) {
            StandardStreams.warn("\(presented.source): handover-left-out: \(words)")
        }
        guard options.includeUnsigned, let container = presented.place?.container,
            containers.updateValue(container, forKey: ObjectIdentifier(container)) == nil
        else { return }
        let form = container.inputForm
        for item in container.unsigned {
            guard let words = Handover.leftOut(of: item, from: form) else { continue }
            let name = "\(type(of: container).itemName) \(item.item + 1) of the \(form.rawValue)"
            StandardStreams.warn("\(container.source): handover-left-out: \(name): \(words)")
        }
    }

    /// Says that a verified credential has no FHIR Bundle, if a Bundle was asked for.
    private func explainMissing(_ verdict: Verdict) {
        guard options.format == .fhir, !options.quiet, verdict.verified != nil, verdict.claims?.fhirBundle == nil
        else { return }
        StandardStreams.warn(
            "\(verdict.examined.presented.source): a health certificate has no FHIR Bundle, so nothing is printed"
        )
    }

    /// Says what the printed Bundles cannot say: that issuers or revocation were not checked, or that the verdict is for another time.
    private func explainPasses() {
        guard options.format == .fhir, !options.quiet, let caution = tally.caution else { return }
        StandardStreams.warn("shcverify: \(caution)")
    }
}

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
        // No record would have a misspelt type, so the result would look like a card without records.
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
        // Here the query only selects records. A card without such records still verifies.
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
        // As with --record-type, a record that does not belong to a person on the card counts as no type.
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
    /// The values to look for; nil if there are none.
    fileprivate var wanted: Set<UTF8Text>? { isEmpty ? nil : Set(all.map { UTF8Text($0) }) }
}
