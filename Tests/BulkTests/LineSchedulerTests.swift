import Credentials
import IssuerNetwork
import JOSE
import SMARTHealthCards
import Synchronization
import TestSupport
import Testing
import Verification

@testable import Bulk

/// Which block waits for which answer, by a clock that the test sets.
@Suite(.timeLimit(.minutes(30))) struct LineSchedulerTests {
    private static let issuer = Issuer(unchecked: "https://issuer.example")
    private let source = Source()
    private let scheduler: LineScheduler<Worker>

    init() {
        let source = source
        var limits = EvidenceStore.Limits.lines(for: TrustedIssuers())
        limits.unknownIssuers = nil
        let store = EvidenceStore(source: source, limits: limits) { source.now }
        scheduler = LineScheduler<Worker>(store: store, jobs: 1)
    }

    /// Adds a block with one line.
    private func add(_ number: Int, afterPause: Bool = false) {
        let line = LineBlock.Line(range: 0..<1, end: 2)
        let block = LineBlock(firstLine: number, bytes: [0x78, 0x0A], size: 2, lines: [line])
        #expect(scheduler.add(block, afterPause: afterPause))
    }

    /// Finishes a job: its line gets a verdict, or waits for an answer.
    private func finish(_ job: LineScheduler<Worker>.Job, needing request: EvidenceRequest? = nil) {
        var job = job
        job.work.taken = request == nil ? 1 : 0
        scheduler.finish(job, requests: request.map { [$0] } ?? [])
    }

    private func keys(in job: LineScheduler<Worker>.Job) -> Bool { job.evidence[.keys(Self.issuer)] != nil }

    private func job() async throws -> LineScheduler<Worker>.Job {
        let job = try await blocking { [scheduler] in scheduler.job() }
        return try #require(job)
    }

    /// The number of the line after the verdicts that are written next.
    private func written() async throws -> Int? {
        try await blocking { [scheduler] in scheduler.part()?.position.line }
    }

    /// Adds a block that needs the keys, and finishes it.
    private func askForKeys(_ number: Int) async throws {
        add(number)
        let first = try await job()
        #expect(!keys(in: first))
        finish(first, needing: .keys(Self.issuer))
        let second = try await job()
        #expect(keys(in: second))
        finish(second)
        #expect(try await written() == number + 1)
    }

    @Test func asksAgainForStaleKeysWhileOtherBlocksGoOn() async throws {
        try await askForKeys(1)
        source.advance(.seconds(299))
        add(2)
        let fresh = try await job()
        #expect(keys(in: fresh))
        finish(fresh)
        #expect(try await written() == 3)
        source.advance(.seconds(1))
        source.isOpen = false
        add(3)
        let stale = try await job()
        #expect(!keys(in: stale))
        finish(stale, needing: .keys(Self.issuer))
        // A block that needs nothing, and one that needs the same keys.
        add(4)
        add(5)
        let other = try await job()
        #expect(other.work.block.firstLine == 4)
        finish(other)
        let same = try await job()
        #expect(same.work.block.firstLine == 5)
        finish(same, needing: .keys(Self.issuer))
        source.isOpen = true
        // They go on in any order.
        var again: Set<Int> = []
        for _ in 0..<2 {
            let block = try await job()
            #expect(keys(in: block))
            again.insert(block.work.block.firstLine)
            finish(block)
        }
        #expect(again == [3, 5])
        for line in 4...6 { #expect(try await written() == line) }
        #expect(source.count == 2)
    }

    /// The verdicts before a card that waits are written without it.
    @Test func verdictsBeforeAWaitingCardAreWritten() async throws {
        source.isOpen = false
        let lines = [LineBlock.Line(range: 0..<1, end: 2), LineBlock.Line(range: 2..<3, end: 4)]
        let bytes: [UInt8] = [0x78, 0x0A, 0x79, 0x0A]
        #expect(scheduler.add(LineBlock(firstLine: 1, bytes: bytes, size: 4, lines: lines)))
        var first = try await job()
        first.work.taken = 2
        first.work.pending = [Waiting()]
        first.work.output = [0x31]
        scheduler.finish(first, requests: [.keys(Self.issuer)])
        let next = try await blocking { [scheduler] in scheduler.part() }
        let part = try #require(next)
        #expect(part.output == [0x31] && part.position == LinePosition(line: 2, offset: 2))
        source.isOpen = true
        var second = try await job()
        #expect(second.work.output.isEmpty && second.work.pending.count == 1 && keys(in: second))
        second.work.pending = []
        scheduler.finish(second, requests: [])
        let rest = try await blocking { [scheduler] in scheduler.part() }
        #expect(rest?.output == [] && rest?.position == LinePosition(line: 3, offset: 4))
    }

    /// Otherwise a card that needs two such answers would never have both.
    @Test func answerReachesTheBlocksThatWaitForIt() async throws {
        source.lifetime = .zero
        add(1)
        finish(try await job(), needing: .keys(Self.issuer))
        let first = try await job()
        #expect(!keys(in: first) && first.work.answers[.keys(Self.issuer)] != nil)
        let list = RevocationListName(issuer: Self.issuer, keyID: KeyID("a"))
        finish(first, needing: .revocationList(list, atLeast: nil))
        let second = try await job()
        #expect(second.work.answers[.keys(Self.issuer)] != nil && second.work.answers[.revocationList(list)] != nil)
    }

    @Test func unstorableAnswerIsKeptUntilTheRunHasCaughtUp() async throws {
        source.isUnkept = true
        try await askForKeys(1)
        // The run is busy.
        add(2)
        let second = try await job()
        #expect(keys(in: second))
        // The input paused, but an earlier line is still in work.
        add(3, afterPause: true)
        finish(second)
        #expect(try await written() == 3)
        let third = try await job()
        #expect(keys(in: third))
        finish(third)
        #expect(try await written() == 4)
        add(4, afterPause: true)
        let fourth = try await job()
        #expect(!keys(in: fourth))
        source.advance(.seconds(1))
        finish(fourth, needing: .keys(Self.issuer))
        #expect(keys(in: try await job()))
        #expect(source.count == 2)
    }
}

/// What is done with the lines does not matter to the scheduler.
private final class Worker: LineWorker {
    typealias Pending = Waiting

    func advance(_ work: inout BlockWork<Worker>, with known: Evidence) -> [EvidenceRequest] { [] }
}

private struct Waiting: PendingLine {
    let weight = 1
}

extension Worker {
    struct Tally: LineTally {
        private(set) var lines = 0
        let weight = 0

        mutating func add(_ next: Tally) { lines += next.lines }
    }
}

/// An issuer that answers when the test lets it.
private final class Source: EvidenceSource {
    private struct State {
        var now = NumericDate(sinceEpoch: .seconds(1_800_000_000))
        var isOpen = true
        var lifetime = Duration.seconds(300)
        var isUnkept = false
        var count = 0
    }

    private let state = Mutex(State())

    var now: NumericDate { state.withLock { $0.now } }
    var count: Int { state.withLock { $0.count } }
    var isOpen: Bool {
        get { state.withLock { $0.isOpen } }
        set { state.withLock { $0.isOpen = newValue } }
    }
    var lifetime: Duration {
        get { state.withLock { $0.lifetime } }
        set { state.withLock { $0.lifetime = newValue } }
    }
    var isUnkept: Bool {
        get { state.withLock { $0.isUnkept } }
        set { state.withLock { $0.isUnkept = newValue } }
    }

    func advance(_ time: Duration) {
        state.withLock { $0.now = NumericDate(sinceEpoch: $0.now.sinceEpoch + time) }
    }

    private func answer<Content>(_ result: Result<Content, VerificationFailure>) async -> Answered<Content> {
        state.withLock { $0.count += 1 }
        while !isOpen { try? await Task.sleep(for: .milliseconds(1)) }
        return state.withLock { state in
            let end = NumericDate(sinceEpoch: state.now.sinceEpoch + state.lifetime)
            return Answered(result, AnswerLifetime(from: state.now, to: end, isUnkept: state.isUnkept))
        }
    }

    func keys(of issuer: Issuer, current: Bool) async -> Answered<IssuerKeys> {
        await answer(.success(IssuerKeys(JWKSet([JWK]()), origin: .network)))
    }

    func revocationList(
        _ name: RevocationListName, atLeast counter: RevocationCounter?
    ) async -> Answered<RevocationList> {
        await answer(.failure(VerificationFailure(.revocationUnavailable, "there is none")))
    }
}
