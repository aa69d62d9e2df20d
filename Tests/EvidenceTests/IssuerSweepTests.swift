import Credentials
import Directories
import HTTPSFetch
import Synchronization
import Testing

@testable import Evidence

/// Asking many issuers: several at a time, and no longer than permitted.
struct IssuerSweepTests {
    /// Notes which issuers are asked, and how many at the same time.
    private final class Server: Transport {
        private struct Log {
            var asked: [String] = []
            var running = 0
            var mostRunning = 0
        }

        private let log = Mutex(Log())

        var asked: [String] { log.withLock { $0.asked } }
        var mostRunning: Int { log.withLock { $0.mostRunning } }

        func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
            log.withLock { log in
                log.asked.append(request.url)
                log.running += 1
                log.mostRunning = max(log.mostRunning, log.running)
            }
            // Others begin meanwhile, if they may.
            for _ in 0..<100 { await Task.yield() }
            log.withLock { $0.running -= 1 }
            return HTTPResponse(status: 200, body: Array(#"{"keys":[]}"#.utf8))
        }
    }

    private final class Progress: SweepProgress {
        private let counts = Mutex((advanced: 0, ended: 0))

        var advanced: Int { counts.withLock { $0.advanced } }
        var ended: Int { counts.withLock { $0.ended } }

        func advance() { counts.withLock { $0.advanced += 1 } }
        func end() { counts.withLock { $0.ended += 1 } }
    }

    private let server = Server()
    private let progress = Progress()
    private let issuers = (0..<9).map { Issuer(unchecked: "https://issuer-\($0).example") }

    private func sweep(jobs: Int = 3, limit: Duration = .seconds(3600)) -> IssuerSweep {
        IssuerSweep(
            jobs: jobs, limit: limit, limits: .init(timeout: .seconds(3600)), transport: server, triesTLS: false,
            listSize: Bounds.revocationListSize)
    }

    @Test(arguments: [1, 3, 64]) func resultsAreInTheOrderOfTheIssuers(_ jobs: Int) async throws {
        let results = try await sweep(jobs: jobs).results(of: issuers, showing: progress) { place, answers in
            "\(place) \(answers.issuer.url)"
        }
        #expect(results == issuers.enumerated().map { "\($0) \($1.url)" })
        #expect(server.asked.count == issuers.count && server.mostRunning <= jobs)
        #expect(progress.advanced == issuers.count && progress.ended == 1)
    }

    /// The silence of an issuer that was not asked says nothing about it.
    @Test func whoWasNotAskedHasNoResult() async throws {
        let results = try await sweep(limit: .zero).results(of: issuers, showing: progress) { _, _ in true }
        #expect(results == issuers.map { _ in nil })
        #expect(server.asked.isEmpty && progress.advanced == 0 && progress.ended == 1)
    }

    @Test func anErrorEndsTheSweep() async throws {
        struct Failure: Error {}
        await #expect(throws: Failure.self) {
            try await sweep().results(of: issuers, showing: progress) { place, _ in
                if place == 4 { throw Failure() }
            }
        }
        #expect(progress.ended == 1)
    }

    @Test func nobodyIsAskedIfThereAreNoIssuers() async throws {
        let results = try await sweep().results(of: [], showing: progress) { _, _ in true }
        #expect(results.isEmpty && progress.ended == 1)
    }
}
