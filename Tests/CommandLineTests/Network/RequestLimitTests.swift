import Credentials
import Encodings
import Evidence
import Foundation
import HTTPSFetch
import SMARTHealthCards
import Synchronization
import TestSupport
import Testing
import Verification

/// Each limit on requests, by the number of requests that a real HTTPS server on loopback receives.
@Suite(.timeLimit(.minutes(30))) struct RequestLimitTests {
    private let server: TestIssuer
    /// The beginning of the paths that only this test uses.
    private let name = "/\(UUID().uuidString)"
    /// Options for a server on loopback, which answers sooner or later.
    private let network: [String]

    init() throws {
        server = try TestIssuer.shared.get()
        network = [
            "--allow-private-network", "--ca-file", server.authorityFile, "--no-cache", "--timeout", "600",
        ]
    }

    /// Cards of issuers of which no list has the name, one of each.
    ///
    /// - Parameter areLate: whether the server does not answer before `release(_:)`.
    private func cards(_ count: Int, areLate: Bool = false) throws -> [String] {
        let signed = try SignedCards.sign((0..<count).map { .init(issuer: url($0, isLate: areLate)) })
        for number in 0..<count { try server.serve(signed.keySet(), at: "\(name)-\(number)/.well-known/jwks.json") }
        return signed.cards
    }

    private func url(_ number: Int, isLate: Bool = false) -> String {
        server.url("\(isLate ? "/late" : "")\(name)-\(number)")
    }

    private func release(_ number: Int) throws { try server.release("\(name)-\(number)") }

    /// The paths of all requests so far, in their order.
    private func requests() throws -> [String] { try server.requests(for: name).map(\.path) }

    private func expectRequests(_ count: Int) throws { #expect(try requests().count == count) }

    /// What fetches in the programs and in the library.
    private var client: IssuerClient {
        IssuerClient(
            transport: FetchProcess(executable: BuiltProduct.program("shcverify-fetch")),
            limits: .init(
                timeout: .seconds(600), allowsPrivateNetwork: true,
                certificateAuthorities: CertificateAuthorities(file: server.authorityFile, content: [])))
    }

    // MARK: Unknown issuers

    /// Anybody can name any server in a card.
    @Test(arguments: [["verify", "-q"], ["batch"], ["lint", "--lines"]])
    func twentyUnknownIssuersAreAskedInARun(_ command: [String]) async throws {
        let cards = try cards(30)
        // Each issuer twice: those that were asked answer for both cards.
        let lines = command[0] == "verify" ? [Carrier.file((cards + cards).map { Array($0.utf8) })] : cards + cards
        let result = try await Shcverify.run(
            command + ["-"] + network, stdin: Array(lines.joined(separator: "\n").utf8))
        let refused = (result.stdout + result.stderr).split(separator: "\n")
            .filter { $0.contains("20 issuers have been asked for keys already") }
        #expect(refused.count == 20, "\(result.stdout) \(result.stderr)")
        #expect(try Set(requests()).count == 20)
        try expectRequests(20)
    }

    /// In a long run, a place is free again after an hour.
    @Test func twentyUnknownIssuersAreAskedInAnHour() async throws {
        let start = NumericDate.now
        let passed = PassedTime()
        let store = EvidenceStore(source: client, limits: .init(for: TrustedIssuers())) {
            NumericDate(sinceEpoch: start.sinceEpoch + passed.value)
        }
        _ = try cards(40)
        _ = try await keys(of: Array(0..<30), from: store, by: store.caller())
        try expectRequests(20)
        passed.value = .seconds(3599)
        let refused = try await keys(of: [30, 31], from: store, by: store.caller())
        #expect(refused.allSatisfy { $0?.isUnasked == true })
        try expectRequests(20)
        passed.value = .seconds(3600)
        let others = try await keys(of: Array(30..<40), from: store, by: store.caller())
        #expect(others.allSatisfy { $0 == nil })
        try expectRequests(30)
    }

    @Test func fourUnknownIssuersAreAskedForAnInput() async throws {
        let verifier = try verifier()
        let cards = try cards(40)
        let verdicts = try await verifier.verify(file(cards[..<10]), source: "one input")
        #expect(verdicts.map(\.name) == (0..<10).map { $0 < 4 ? "pass" : "undetermined" })
        try expectRequests(4)
        // All inputs of an hour share the places of the verifier.
        for number in 10..<40 { _ = try await verifier.verify(file([cards[number]]), source: "\(number)") }
        try expectRequests(Bounds.unknownIssuers)
    }

    // MARK: Requests at a time

    @Test func eightRequestsAreMadeAtATime() async throws {
        let cards = try cards(20, areLate: true)
        async let run = Shcverify.run(
            ["batch", "--jobs", "1"] + network, stdin: Array(cards.joined(separator: "\n").utf8))
        for ended in 0...12 {
            #expect(try await eventually { try requests().count >= ended + 8 })
            try expectRequests(ended + 8)
            // The oldest request that is being made.
            let oldest = try requests()[ended].split(separator: "/")[1]
            try server.release("/\(oldest)")
        }
        for number in 0..<20 { try release(number) }
        let lines = try await BatchTests.lines(run.stdout)
        #expect(lines.map { $0["verdict"]?.words } == Array(repeating: "pass", count: 20))
        try expectRequests(20)
    }

    /// Cards whose issuers were not asked are left to the next run.
    @Test func interruptedRunMakesNoFurtherRequests() async throws {
        let cards = try cards(20, areLate: true)
        let folder = try TemporaryDirectory()
        let run = try BatchProcess([folder.write(cards.joined(separator: "\n"), to: "cards")] + network)
        #expect(try await eventually { try requests().count >= 8 })
        run.signal(SIGTERM)
        #expect(run.wait() == 143)
        for number in 0..<20 { try release(number) }
        try expectRequests(8)
        #expect(try run.output.fileHandleForReading.readToEnd() ?? Data() == Data())
    }

    // MARK: One request for all who wait

    @Test func aThousandCallersCauseOneRequest() async throws {
        let verifier = try verifier()
        let card = try cards(1, areLate: true)[0]
        let (good, bad) = (file([card]), try file([forged(card)]))
        let callers = (0..<1000).map { number in
            Task {
                try await verifier.verify(number % 2 == 0 ? good : bad, source: "\(number)").map(\.name)
            }
        }
        #expect(try await eventually { try requests().count == 1 })
        try release(0)
        for (number, caller) in callers.enumerated() {
            #expect(try await caller.value == [number % 2 == 0 ? "pass" : "fail"])
        }
        try expectRequests(1)
    }

    /// The request was made for the caller that leaves. The others have its answer.
    @Test func requestGoesOnForTheOthersWhenACallerLeaves() async throws {
        let verifier = try verifier()
        let card = file(try cards(1, areLate: true))
        let first = Task { try await verifier.verify(card, source: "first") }
        #expect(try await eventually { try requests().count == 1 })
        let others = (0..<10).map { number in Task { try await verifier.verify(card, source: "\(number)") } }
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        try release(0)
        for other in others { #expect(try await other.value.map(\.name) == ["pass"]) }
        try expectRequests(1)
    }

    /// It has no answer when its time is up, and the others have one from the same request.
    @Test func requestGoesOnAfterTheTimeOfACaller() async throws {
        let store = EvidenceStore(source: client, limits: .init(for: TrustedIssuers()))
        _ = try cards(1, areLate: true)
        let first = Task { try await keys(of: [0], areLate: true, from: store, by: store.caller()) }
        #expect(try await eventually { try requests().count == 1 })
        let hurried = store.caller(until: .now + .milliseconds(50))
        let failure = try await keys(of: [0], areLate: true, from: store, by: hurried)[0]
        #expect(failure?.message.contains("the time for this input was used up") == true)
        try release(0)
        #expect(try await first.value == [nil])
        #expect(try await keys(of: [0], areLate: true, from: store, by: store.caller()) == [nil])
        try expectRequests(1)
    }

    // MARK: The library

    /// A verifier that may ask issuers of which it knows nothing.
    private func verifier() throws -> Verifier {
        var policy = VerificationPolicy(.given(NumericDate(sinceEpoch: .seconds(1_780_272_000))))
        policy.requiresTrust = false
        var limits = Verifier.Limits()
        limits.time = .seconds(1800)
        return try Verifier(policy, source: client, limits: limits)
    }

    private func file(_ cards: some Sequence<String>) -> [UInt8] {
        Array(Carrier.file(cards.map { Array($0.utf8) }).utf8)
    }

    /// The same card with another signature.
    private func forged(_ card: String) throws -> String {
        var characters = Array(card)
        let middle = try #require(characters.lastIndex(of: ".")) + 10
        characters[middle] = characters[middle] == "A" ? "B" : "A"
        return String(characters)
    }

    /// Why there are no keys of issuers; nil for each whose keys there are.
    private func keys(
        of issuers: [Int], areLate: Bool = false, from store: EvidenceStore, by caller: EvidenceStore.Caller
    ) async throws -> [VerificationFailure?] {
        let names = issuers.map { Issuer(unchecked: url($0, isLate: areLate)) }
        var (caller, found) = (caller, EvidenceAnswers())
        try await store.judge(by: &caller) { evidence in
            found = evidence
            return names.filter { evidence[.keys($0)] == nil }.map { .keys($0) }
        }
        return names.map { issuer -> VerificationFailure? in
            if case .failure(let failure)? = found[.keys(issuer)] { failure } else { nil }
        }
    }
}

/// How much time has passed by the clock of a store.
private final class PassedTime: Sendable {
    private let time = Mutex(Duration.zero)

    var value: Duration {
        get { time.withLock { $0 } }
        set { time.withLock { $0 = newValue } }
    }
}
