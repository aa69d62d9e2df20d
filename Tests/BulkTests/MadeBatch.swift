import CredentialReports
import Credentials
import Dispatch
import Encodings
import Evidence
import HTTPSFetch
import SMARTHealthCards
import Synchronization
import SystemPackage
import TestSupport
import Testing
import Verification
import VerificationTesting

@testable import Bulk

/// A batch in this process. The test writes its input and reads its output line by line, is the issuer of the cards, and sets the clock.
struct MadeBatch {
    let issuer: MadeIssuer
    let judged: JudgedLines
    private let input: FileDescriptor
    private let output: FileDescriptor
    private let run: BatchRun
    private let ending: Task<LineResult<BatchTally>, Never>

    /// - Parameters:
    ///   - jobs: the number of threads that verify.
    ///   - linesTogether: the most lines that are the work of a thread together.
    ///   - state: the path of a state file; nil to keep none.
    init(_ issuer: MadeIssuer, jobs: Int = 1, linesTogether: Int = 1, state: String? = nil) throws {
        let judged = JudgedLines()
        (self.issuer, self.judged) = (issuer, judged)
        let now = issuer.now
        var policy = VerificationPolicy(VerificationTime(.given(now), madeAt: now))
        policy.cards.trustedIssuers.allow(issuer.cards.issuer)
        policy.cards.hintsAtOtherKeys = false
        let form = BatchForm(
            source: "lines",
            cards: CardJSON(names: .builtIn, tool: Tool(name: "test", version: "1"), hasBundle: false, isLine: true),
            isQuiet: false, escapesUnprintable: false, observer: { judged.note($0) })
        let (lines, input) = try FileDescriptor.pipe()
        let (output, verdicts) = try FileDescriptor.pipe()
        (self.input, self.output) = (input, output)
        let run = BatchRun(
            policy: policy,
            store: EvidenceStore(source: issuer, limits: .lines(for: policy.cards.trustedIssuers)) { issuer.now },
            form: form, jobs: jobs, precomputation: nil, output: LineOutput(verdicts), progress: { _ in })
        self.run = run
        let journal = state.map { path in
            BatchJournal(
                path, state: BatchState(input: "lines", terms: BatchTerms(subjects: [], version: "1")),
                isInDoubt: { false })
        }
        ending = Task {
            var reader = LineReader(lines, sum: InputSum())
            reader.linesTogether = linesTogether
            let result = await run.run(reader, from: 1, journal: journal)
            try? verdicts.close()
            return result
        }
    }

    /// Writes lines. They arrive together.
    func write(_ lines: String...) throws {
        let bytes: [UInt8] = lines.flatMap { Array($0.utf8) + [0x0A] }
        // A pipe takes no more at once (pipe(7)).
        try #require(bytes.count <= 4096)
        try input.writeAll(bytes)
    }

    /// Waits for the next verdict that is written: the number of its line, and its reason or "pass". Nil at the end.
    func next() async throws -> String? {
        let line = try await blocking { [output] () -> [UInt8]? in
            var line: [UInt8] = []
            var byte: [UInt8] = [0]
            while try byte.withUnsafeMutableBytes({ try output.read(into: $0) }) == 1 {
                guard byte[0] != 0x0A else { return line }
                line += byte
            }
            return nil
        }
        guard let line else { return nil }
        let verdict = try JSONDocument.parse(line)
        let number = try #require(verdict["line"]?.number?.integer)
        return "\(number) \(verdict["reason"]?["code"]?.string?.description ?? "pass")"
    }

    func interrupt() { run.interrupt() }

    /// Ends the input, and waits for the end of the run. Everything that was written must have been read.
    func end() async throws -> LineResult<BatchTally> {
        try input.close()
        let result = await ending.value
        #expect(try await next() == nil)
        try output.close()
        return result
    }
}

/// The lines that a run has judged, also those whose verdicts are not written yet.
final class JudgedLines: Sendable {
    private let reasons = Mutex<[String]>([])
    private let turns = DispatchSemaphore(value: 0)
    private let holds = Atomic(false)

    /// Their reasons or "pass", in the order in which they were judged.
    var all: [String] { reasons.withLock { $0 } }

    /// From now on, a thread that has judged a line that is no card goes no further.
    func hold() { holds.store(true, ordering: .releasing) }

    /// Lets that thread go on.
    func release() {
        holds.store(false, ordering: .releasing)
        turns.signal()
    }

    func note(_ verdict: Verdict) {
        let reason = verdict.reason?.code
        reasons.withLock { $0.append(reason?.rawValue ?? "pass") }
        if reason == .malformedInput, holds.load(ordering: .acquiring) { turns.wait() }
    }
}

/// An issuer that answers when the test lets it, with a clock that the test sets.
final class MadeIssuer: EvidenceSource {
    private struct State {
        var now = NumericDate(sinceEpoch: .seconds(1_800_000_000))
        var lifetime = Duration.seconds(300)
        var isUnkept = false
        var fault: InstallationFault?
        var requests: [String] = []
        var isOpen = true
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    /// What signs its cards.
    let cards: TestCardIssuer
    private let state = Mutex(State())

    /// - Parameters:
    ///   - cards: what signs its cards.
    ///   - lifetime: how long its answers may be used.
    ///   - isUnkept: whether it does not want them to be kept.
    ///   - fault: why nothing can be fetched at all; nil if it answers.
    init(
        _ cards: TestCardIssuer, lifetime: Duration = .seconds(300), isUnkept: Bool = false,
        fault: InstallationFault? = nil
    ) {
        self.cards = cards
        state.withLock { state in
            state.lifetime = lifetime
            state.isUnkept = isUnkept
            state.fault = fault
        }
    }

    /// A card, as a line.
    func card(revocationID: String? = nil) throws -> String {
        try cards.card(issued: NumericDate(sinceEpoch: .seconds(1_700_000_000)), revocationID: revocationID).jws
    }

    var now: NumericDate { state.withLock { $0.now } }

    func advance(_ time: Duration) {
        state.withLock { $0.now = NumericDate(sinceEpoch: $0.now.sinceEpoch + time) }
    }

    /// What it was asked for: "keys" or "list".
    var requests: [String] { state.withLock { $0.requests } }

    /// It does not answer before `open()`.
    func close() { state.withLock { $0.isOpen = false } }

    func open() {
        let waiting = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            state.isOpen = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    private func answer<Content>(
        _ request: String, _ content: Content
    ) async throws(InstallationFault) -> Answered<Content> {
        await wait(for: request)
        let known = state.withLock { $0 }
        if let fault = known.fault { throw fault }
        let end = NumericDate(sinceEpoch: known.now.sinceEpoch + known.lifetime)
        return Answered(.success(content), AnswerLifetime(from: known.now, to: end, isUnkept: known.isUnkept))
    }

    private func wait(for request: String) async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let isOpen = state.withLock { state -> Bool in
                state.requests.append(request)
                if !state.isOpen { state.waiting.append(continuation) }
                return state.isOpen
            }
            if isOpen { continuation.resume() }
        }
    }

    func keys(of issuer: Issuer, current: Bool) async throws(InstallationFault) -> Answered<IssuerKeys> {
        try await answer("keys", IssuerKeys(cards.keySet, origin: .network))
    }

    func revocationList(
        _ name: RevocationListName, atLeast counter: RevocationCounter?
    ) async throws(InstallationFault) -> Answered<RevocationList> {
        try await answer("list", cards.revocationList)
    }
}
