import Credentials
import Evidence
import Foundation
import HTTPSFetch
import SMARTHealthCards
import Synchronization
import SystemPackage
import TestSupport
import Testing
import Verification

@testable import Bulk

/// A run has the results in the order of the lines, whichever thread made them, and says how it ended.
@Suite(.timeLimit(.minutes(30))) struct LineRunTests {
    private let folder: TemporaryDirectory
    private let output: FileDescriptor

    init() throws {
        folder = try TemporaryDirectory()
        output = try FileDescriptor.open(
            FilePath(folder.url.path).appending("output"), .readWrite, options: [.create],
            permissions: [.ownerReadWrite])
    }

    private func run(
        _ lines: [String], jobs: Int = 4, from first: Int = 1, journal: Journal? = nil,
        worker: @escaping @Sendable () -> Echo? = { Echo() }
    ) async throws -> LineResult<EchoTally> {
        let input = try LineInput(folder.write(lines.map { $0 + "\n" }.joined(), to: "lines"), source: "lines")
        let store = EvidenceStore(
            source: IssuerClient(by: nil, limits: .init()), limits: .lines(for: TrustedIssuers()))
        let run = LineRun(
            store: store, jobs: jobs, output: LineOutput(output), progress: { _ in }, worker: worker)
        return await run.run(input.reader(keepsSum: journal != nil), from: first, journal: journal)
    }

    private func written() throws -> String {
        var bytes = [UInt8](repeating: 0, count: 1 << 22)
        let count = try bytes.withUnsafeMutableBytes { try output.read(fromAbsoluteOffset: 0, into: $0) }
        return String(decoding: bytes[..<count], as: UTF8.self)
    }

    @Test func resultsKeepTheOrderOfTheLines() async throws {
        let lines = (0..<5000).map { "line \($0)" }
        let result = try await run(lines)
        #expect(result.tally.lines == 5000)
        guard case .finished(nil) = result.ending else {
            Issue.record("\(result.ending)")
            return
        }
        #expect(try written() == lines.map { $0 + "\n" }.joined())
    }

    @Test func runBeginsWithTheLineThatWasAskedFor() async throws {
        let result = try await run((1...300).map(String.init), from: 298)
        #expect(result.tally.lines == 3)
        #expect(try written() == "298\n299\n300\n")
    }

    /// Otherwise threads without a worker would leave the run waiting for ever.
    @Test func runEndsIfNoThreadHasMemory() async throws {
        let result = try await run((1...300).map(String.init), worker: { nil })
        guard case .unable(let words) = result.ending else {
            Issue.record("\(result.ending)")
            return
        }
        #expect(words == "there is not enough memory to verify cards")
        #expect(try written().isEmpty)
    }

    /// The lines before it have their results, and none after it has.
    @Test func runEndsBeforeALineThatTheInstallationCannotWorkOn() async throws {
        let lines = (1...1000).map { $0 == 300 ? "fault" : "\($0)" }
        let result = try await run(lines)
        guard case .failed("broken") = result.ending else {
            Issue.record("\(result.ending)")
            return
        }
        #expect(try written() == (1..<300).map { "\($0)\n" }.joined())
        #expect(result.tally.lines == 299)
    }

    @Test func journalHasThePlaceAfterTheLastResult() async throws {
        let kept = Kept()
        _ = try await run(["a", "bc"], journal: Journal(kept: kept))
        var sum = InputSum()
        sum.add(Array("a\nbc\n".utf8)[...])
        let note = Kept.Note(lines: 2, position: LinePosition(line: 3, offset: 5), digest: sum.digest)
        #expect(kept.last.withLock { $0 } == note)
    }

    @Test func runEndsBeforeTheFirstLineIfTheJournalCannotBeKept() async throws {
        let result = try await run(["a"], journal: Journal(kept: Kept(), problem: "no room"))
        guard case .unable("no room") = result.ending else {
            Issue.record("\(result.ending)")
            return
        }
        #expect(try written().isEmpty)
    }
}

/// Writes each line as it is.
private final class Echo: LineWorker {
    typealias Pending = Never
    typealias Tally = EchoTally

    func advance(
        _ work: inout BlockWork<Echo>, with known: EvidenceAnswers
    ) throws(InstallationFault) -> [EvidenceRequest] {
        while work.hasRoom {
            if work.block.content(ofLine: work.taken)?.elementsEqual("fault".utf8) == true {
                throw InstallationFault("broken")
            }
            work.output += (work.block.content(ofLine: work.taken) ?? []) + [0x0A]
            work.tally.add(EchoTally(lines: 1))
            work.taken += 1
        }
        return []
    }
}

private struct EchoTally: LineTally {
    var lines = 0
    let weight = 0

    init() {}

    init(lines: Int) { self.lines = lines }

    mutating func add(_ next: EchoTally) { lines += next.lines }
}

/// What a journal has kept.
private final class Kept: Sendable {
    struct Note: Equatable {
        var lines = 0
        var position = LinePosition.beginning
        var digest: String?
    }

    let last = Mutex(Note())
}

private struct Journal: LineJournal {
    let kept: Kept
    var problem: String?
    private var note = Kept.Note()

    init(kept: Kept, problem: String? = nil) {
        self.kept = kept
        self.problem = problem
    }

    mutating func begin(output: LineOutput.Mark?) {}

    mutating func record(_ tally: EchoTally, position: LinePosition, sum: InputSum?, output: LineOutput.Mark?) {
        note = Kept.Note(lines: tally.lines, position: position, digest: sum?.digest)
    }

    func save(after output: LineOutput) -> String? {
        kept.last.withLock { $0 = note }
        return problem
    }
}
