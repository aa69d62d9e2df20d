import ArgumentParser
import Bulk
import CredentialReports
import Credentials
import Dispatch
import Encodings
import Evidence
import FHIR
import SMARTHealthCards
import Verification

/// `shcverify batch [FILE]`: one card per line in, one verdict per line out.
struct BatchCommand: WaitingCommand, VerifyingCommand {
    static let configuration = CommandConfiguration.of("batch")

    @Argument(help: .of("file.batch"), completion: .file()) var file = "-"

    @OptionGroup(title: "Keys") var keys: KeyOptions
    @OptionGroup(title: "Trust") var trust: TrustOptions
    @OptionGroup(title: "Records") var records: RecordOptions
    @OptionGroup(title: "Network") var network: NetworkOptions
    @Option(help: .of("at.moment"), completion: .list(["issued"]), transform: VerificationTime.Moment.ofOption)
    var at: VerificationTime.Moment?
    @OptionGroup(title: "Output") var options: BatchOptions

    /// The options that decide about verdicts and their form, as messages of `--resume` call them.
    private static let subjects: [BatchTerms.Subject] = [
        ("lines", ["--pictures"]), ("keys", ["--jwks", "--crl"]),
        (
            "trust",
            [
                "--directory", "--list-key", "--allow-test-lists", "--trust", "--anchor", "--max-directory-age",
                "--require-trusted", "--require-revocation",
            ]
        ),
        ("filters", ["--record-type", "--since", "--until", "--codes"]), ("installed lists", ["codes"]),
        ("time", ["--at"]), ("network", ["--offline", "--max-stale", "--allow-private-network", "--ca-file"]),
        ("output", ["--records", "--bundle", "--fields"]),
    ]

    func validate() throws { try validateTrust() }

    nonisolated(nonsending) func perform() async throws -> RunOutcome {
        try CommandSandbox(network, mayScan: options.pictures, writing: options.resume).enter()
        var terms = BatchTerms(subjects: Self.subjects, version: Tool.shcverify.version)
        var policy = try VerificationPolicy(
            self,
            observedBy: ValueObserver { given in
                guard options.resume != nil else { return }
                // The issuer is part of the terms. No URL contains a zero byte, so the two parts cannot be confused.
                terms.add(given.option, (given.issuer.map { Array($0.url.utf8) + [0] } ?? []) + given.content())
            })
        try options.fields.validate(hasOwnTimes: policy.time.common == nil)
        if options.pictures { terms.add("--pictures") }
        if options.records { terms.add("--records") }
        if options.bundle { terms.add("--bundle") }
        if let fields = options.fields.inOrder { terms.add("--fields", Array(fields.joined(separator: ",").utf8)) }
        // Hints go to the first few cards only, and which these are would depend on the speed of the threads.
        policy.cards.hintsAtOtherKeys = false
        let store = try Requests(network).evidence(.lines(for: policy.cards.trustedIssuers, listing: policy.cards.apps))
        let lines = try GivenLines(file)
        let name = lines.input.source
        if let advice = lines.input.advice(forPaths: options.pictures) { StandardStreams.warn("shcverify: \(advice)") }
        // Reports a file that is not a state, even while another run holds the lock. Under the lock it is read again.
        _ = try earlierState(of: name, terms)
        let lock = try lockedState()
        defer { lock?.release() }
        var state = try earlierState(of: name, terms)
        let reader = options.resume == nil ? lines.input.reader() : try lines.reader(continuing: &state)
        try continueOutput(of: state)
        ProcessSetup.requireThreads(LineThreads.least)
        let progress = LineProgress(
            earlier: state.tally.lines, counted: options.pictures ? "card" : "line", unit: "cards")
        let jobs = LineThreads.count(asked: options.jobs)
        let precomputation = InstalledLanes.precomputation(isWanted: !options.noPrecompute, network.trace)
        let run = BatchRun(
            policy: policy, store: store, form: form(of: name, names: policy.codeNames), jobs: jobs,
            precomputation: precomputation, files: options.pictures ? BatchFiles(jobs: jobs) : nil,
            progress: { progress.show($0) })
        let signals = LineSignals()
        let watched = signals.watch { run.interrupt() }
        defer { for source in watched { source.cancel() } }
        let firstLine = options.from ?? state.position.line
        let isContinued = state.tally.lines > 0
        let isInDoubt = { @Sendable in precomputation?.isInDoubt(isContinued: isContinued) ?? false }
        let result = await run.run(
            reader, from: firstLine,
            journal: options.resume.map { BatchJournal($0, state: state, isInDoubt: isInDoubt) })
        if result.hasSummary { progress.finish(result.tally) } else { progress.end() }
        // A warning has said so.
        if isInDoubt() { return RunOutcome(.internalError) }
        return result.outcome(
            of: name, from: firstLine, results: options.failOn.outcome(of: result.tally), signal: signals.signal)
    }

    /// The form of the output.
    private func form(of source: String, names: CodeNames) -> BatchForm {
        let (trace, noted) = (network.trace, NotedKeys())
        let note = { @Sendable (verdict: Verdict) in trace.note(verdict, unlessIn: noted) }
        return BatchForm(
            source: source, hasNamedCards: options.pictures,
            cards: CardJSON(
                names: names, tool: .shcverify, hasRecords: options.records, hasDetails: options.records,
                hasBundle: options.bundle, isLine: true, members: options.fields.members),
            isQuiet: options.quiet, escapesUnprintable: StandardStreams.isTerminal,
            observer: trace.isOn ? note : nil)
    }

    /// Locks the state, so that no other run uses it; nil if no state is kept.
    private func lockedState() throws -> BatchLock? {
        guard let path = options.resume else { return nil }
        do throws(Malformed) {
            return try BatchLock(path)
        } catch {
            throw CommandFailure(.internalError, "--resume \(TerminalText.printable(path)): \(error)")
        }
    }

    /// How far earlier runs came; the beginning if there were none.
    private func earlierState(of source: String, _ terms: BatchTerms) throws -> BatchState {
        let beginning = BatchState(input: source, terms: terms)
        guard let path = options.resume else { return beginning }
        do {
            guard let state = try BatchState.read(path, subjects: Self.subjects) else { return beginning }
            guard state.input.utf8.elementsEqual(source.utf8) else {
                throw BatchState.Failure(.usage, "it belongs to another input, \(state.input.quoted())")
            }
            if let difference = terms.difference(from: state.terms) {
                throw BatchState.Failure(
                    .usage,
                    "it belongs to a run under another policy, which differs in \(difference); continue it with "
                        + "the same options, or start over with another state file")
            }
            return state
        } catch let failure as BatchState.Failure {
            throw OptionFile.unusable(path, option: "--resume", failure.message, as: failure.reason)
        }
    }

    /// Cuts the output back to where it was when the state was written.
    private func continueOutput(of state: BatchState) throws {
        guard let path = options.resume, !options.quiet, let mark = state.output else { return }
        try OptionFile.use(path, option: "--resume") { () throws(Malformed) in
            try LineOutput().continue(at: mark, line: state.position.line, mayRepeat: options.pictures)
        }
    }
}
