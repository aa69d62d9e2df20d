import ArgumentParser
import Bulk
import CredentialReports
import Credentials
import Dispatch
import Encodings
import FHIR
import Glibc
import Processes
import Synchronization
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

    /// The options that affect verdicts and their form, under the names that messages of `--resume` use.
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
        // Only the first few cards get hints, and which cards these are would depend on the speed of the threads.
        policy.cards.hintsAtOtherKeys = false
        let store = try Requests(network).evidence(.lines(for: policy.cards.trustedIssuers, listing: policy.cards.apps))
        let lines = try GivenLines(file)
        let name = lines.input.source
        // Reports a file that is not a state, even while another run holds the lock. Under the lock it is read again.
        _ = try earlierState(of: name, terms)
        let lock = try lockedState()
        defer { lock?.release() }
        var state = try earlierState(of: name, terms)
        var reader = options.resume == nil ? lines.input.reader() : try lines.reader(continuing: &state)
        reader.onBeginning = { [input = lines.input, pictures = options.pictures] start in
            guard let advice = input.advice(for: start, forPaths: pictures) else { return }
            StandardStreams.warn("shcverify: \(advice)")
        }
        try continueOutput(of: state)
        ProcessSetup.requireThreads(LineThreads.least)
        let progress = LineProgress(
            earlier: state.tally.lines, counted: options.pictures ? "card" : "line", unit: "cards",
            hasResults: !options.quiet)
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
        // The user has been warned already.
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

    /// Locks the state, so that no other run uses it; nil if there is no state.
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

    /// Cuts the output back to where it was when the state was written, and says where the run continues.
    private func continueOutput(of state: BatchState) throws {
        guard let path = options.resume else { return }
        var isSame = true
        if !options.quiet, let mark = state.output {
            isSame = try OptionFile.use(path, option: "--resume") { () throws(Malformed) in
                try LineOutput().continue(at: mark, line: state.position.line, mayRepeat: options.pictures)
            }
        }
        guard state.tally.lines > 0 else { return }
        let others = isSame ? "" : "; the verdicts on the lines before are in another file"
        StandardStreams.warn("shcverify: continues at line \(state.position.line)\(others)")
    }
}

/// The input of a run over lines, as the command line names it.
struct GivenLines {
    let input: LineInput

    /// - Throws: `CommandFailure` if it cannot be opened.
    init(_ path: String) throws {
        do throws(InputReader.Failure) {
            input = try LineInput(path, source: InputReader.name(of: path))
        } catch {
            let (source, message) = InputReader.explain(path, number: 1, failure: error, qrOption: "verify --qr")
            throw CommandFailure(.unreadable, "unreadable-input: \(message)", of: source)
        }
    }

    /// A reader that begins at the position of a state.
    ///
    /// - Parameter state: how far the earlier run came. It gets the sum of the input before the position.
    /// - Throws: `CommandFailure` if the input before the position has changed, or if it cannot be read.
    func reader(continuing state: inout BatchState) throws -> LineReader {
        guard let digest = state.earlierDigest else { return input.reader(keepsSum: true) }
        let reader: LineReader?
        do throws(InputReader.Failure) {
            reader = try input.reader(continuingAt: state.position, after: digest)
        } catch {
            throw CommandFailure(
                .unreadable, "unreadable-input: cannot be read: \(error.message)", of: input.source)
        }
        guard let reader, let sum = reader.sum else {
            throw CommandFailure(
                .usage,
                "--resume: \(input.source) has changed since the state was written: the lines before line "
                    + "\(state.position.line) are no longer those that were judged")
        }
        state.inputSum = sum
        return reader
    }
}

extension LineResult {
    /// How a run ended. Prints a line on standard error that says why.
    ///
    /// - Parameters:
    ///   - source: the name of the input.
    ///   - firstLine: the number of the first line.
    ///   - results: what the results say.
    ///   - signal: the signal that interrupted the run; nil if none did.
    func outcome(
        of source: String, from firstLine: Int = 1, results: RunOutcome, signal: Int32?
    ) -> RunOutcome {
        switch ending {
        case .readerGone(let problem), .unable(let problem), .failed(let problem):
            StandardStreams.warn("shcverify: \(problem)")
            return RunOutcome(.internalError)
        case .interrupted:
            StandardStreams.warn("shcverify: stopped before the end of the input")
            return RunOutcome(.signal(signal ?? SIGINT))
        case .finished(let failure?):
            StandardStreams.warn("\(source): unreadable-input: cannot be read: \(failure.message)")
            return RunOutcome(results.reason ?? .unreadable)
        case .finished(nil): break
        }
        guard tally.lines == 0 else { return results }
        let found = firstLine > 1 ? "there is no line \(firstLine)" : "the input is empty"
        StandardStreams.warn("\(source): empty-input: no health card here: \(found)")
        return RunOutcome(.given(.emptyInput))
    }

    /// Whether the totals are worth a summary. If standard output was closed, nobody is reading.
    var hasSummary: Bool {
        switch ending {
        case .readerGone, .unable: false
        case .finished, .interrupted, .failed: true
        }
    }
}

/// SIGINT and SIGTERM during a run over lines. After the first signal, the lines in progress are finished. A second signal ends the
/// process, and so does a time limit, because a reader of the output, or a file, may keep the run waiting for ever.
///
/// A signal that was ignored at the start stays ignored. A shell ignores SIGINT for programs in the background, and
/// `trap '' TERM` protects a program that must not be ended.
final class LineSignals: Sendable {
    private let first = Mutex<Int32?>(nil)

    /// The time for the lines in progress. No picture takes that long, and a service manager usually waits longer before it kills.
    private static let patience = 15

    /// The first signal; nil if none came.
    var signal: Int32? { first.withLock { $0 } }

    /// Watches for the signals for as long as the returned sources live.
    ///
    /// - Parameter onFirst: is called at the first signal.
    func watch(_ onFirst: @escaping @Sendable () -> Void) -> [any DispatchSourceSignal] {
        [SIGINT, SIGTERM].filter { !Self.isIgnored($0) }.map { number in
            let queue = DispatchQueue(label: "signals")
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            let end = { @Sendable in
                UnfinishedFiles.remove()
                _exit(RunReason.signal(number).exitCode)
            }
            source.setEventHandler {
                let isFirst = self.first.withLock { first in
                    defer { first = first ?? number }
                    return first == nil
                }
                guard isFirst else { return end() }
                queue.asyncAfter(deadline: .now() + .seconds(Self.patience), execute: end)
                onFirst()
            }
            source.activate()
            return source
        }
    }

    /// Whether a signal is ignored. Its disposition is not changed: Dispatch takes over the signal when it begins to watch, and
    /// until then the signal ends the process. If it were ignored in between, a signal at that moment would be lost.
    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        // Unsafe: the call writes into the variable, and keeps no pointer to it. The bits of two pointers are compared, and
        // neither is called; SIG_IGN is not a function.
        guard unsafe sigaction(number, nil, &action) == 0 else { return false }
        let handler = unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
        let ignored = unsafe unsafeBitCast(SIG_IGN, to: Int.self)
        return handler == ignored
    }
}

/// Progress and summary of a run over lines, on standard error.
final class LineProgress: Sendable {
    private struct Shown {
        var time = ContinuousClock.now
        var isShown = false
    }

    private let begin = ContinuousClock.now
    /// The number of lines of earlier runs. They do not count towards the speed.
    private let earlier: Int
    /// What is counted, in the singular.
    private let counted: String
    /// What the rate counts, in the plural.
    private let unit: String
    private let shown = Mutex(Shown())
    private let showsProgress: Bool

    /// - Parameter hasResults: whether results are printed. On a terminal that gets them too, they are the progress.
    init(earlier: Int = 0, counted: String = "line", unit: String, hasResults: Bool) {
        showsProgress = isatty(STDERR_FILENO) == 1 && !(hasResults && isatty(STDOUT_FILENO) == 1)
        self.earlier = earlier
        self.counted = counted
        self.unit = unit
    }

    /// Shows the progress, at most four times a second.
    func show(_ tally: some LineTally) {
        guard showsProgress else { return }
        let isDue = shown.withLock { shown in
            let now = ContinuousClock.now
            guard now - shown.time > .milliseconds(250) else { return false }
            shown = Shown(time: now, isShown: true)
            return true
        }
        if isDue { StandardStreams.warn(raw: "\r\(tally.lines.counted(counted)), \(rate(tally))\u{1B}[K") }
    }

    /// Removes the progress, so that another message can be printed.
    func end() {
        if shown.withLock({ $0.isShown }) { StandardStreams.warn(raw: "\r\u{1B}[K") }
    }

    /// Prints the totals, then the details, a line for each.
    ///
    /// - Parameters:
    ///   - counts: what became of the lines, in words.
    ///   - details: more lines.
    func finish(_ tally: some LineTally, counts: String, details: [String]) {
        end()
        StandardStreams.warn(
            "shcverify: \(tally.lines.counted(counted)): \(counts); \(seconds) s, \(rate(tally))"
        )
        for detail in details { StandardStreams.warn("shcverify: \(detail)") }
    }

    private var elapsed: Double {
        let (seconds, attoseconds) = (ContinuousClock.now - begin).components
        return Double(seconds) + Double(attoseconds) / 1e18
    }

    private var seconds: String {
        let milliseconds = Int((elapsed * 1000).rounded())
        let fraction = String(milliseconds % 1000)
        return "\(milliseconds / 1000)." + String(repeating: "0", count: 3 - fraction.count) + fraction
    }

    private func rate(_ tally: some LineTally) -> String {
        "\(Int((Double(tally.lines - earlier) / max(elapsed, 0.001)).rounded())) \(unit)/s"
    }
}

extension LineProgress {
    /// Prints the totals of a batch, then what the totals do not say, then a line for each reason, the most frequent one first.
    func finish(_ tally: BatchTally) {
        let reasons = ReasonCode.allCases.compactMap { reason in tally.reasons[reason].map { (reason, $0) } }
        let notes = [
            (tally.notes.uncheckedIssuers, "the issuer was not checked"),
            (tally.notes.openRevocations, "revocation was not checked"),
            (tally.notes.testSigners, "the signer is only on a list for tests"),
        ].filter { $0.0 > 0 }
        finish(
            tally, counts: "\(tally.verified) verified, \(tally.lines - tally.verified) not",
            details: notes.map { "\($0) of the verified: \($1)" }
                + reasons.sorted { $0.1 > $1.1 }.map { "\($1) \($0.rawValue)" })
    }

    /// Prints the totals of a lint, then a line for each rule, the most frequent one first.
    func finish(_ tally: LineLintTally) {
        finish(
            tally,
            counts: "\(tally.lines - tally.failed) passed, \(tally.failed) failed",
            details: tally.ruleCounts
                + (tally.known > 0 ? ["\(tally.known) known findings left out (--baseline)"] : []))
    }
}
