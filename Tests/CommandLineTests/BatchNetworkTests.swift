import Foundation
import JSON
import TestSupport
import Testing

/// `batch` against real HTTPS issuers on loopback.
@Suite(.timeLimit(.minutes(10))) struct BatchNetworkTests {
    private static let shared = Result { try TestIssuer() }
    private let server: TestIssuer

    init() throws {
        server = try Self.shared.get()
    }

    @Test func othersGoOnWhileAnIssuerHangs() async throws {
        let name = "/\(UUID().uuidString)"
        let issuers = (0..<6).map { server.url("\(name)-\($0)") } + [server.url(name, port: "hang")]
        let signed = try SignedCards.sign(issuers.map { .init(issuer: $0) })
        for number in 0..<6 { try server.serve(signed.keySet(), at: "\(name)-\(number)/.well-known/jwks.json") }
        // The cards of the one that hangs stand first, and among the others.
        let order = [6] + (0..<600).map { $0 % 50 == 7 ? 6 : $0 % 6 }
        let input = order.map { signed.cards[$0] }.joined(separator: "\n")
        let result = try await Shcverify.run(
            [
                "batch", "--jobs", "2", "--allow-private-network", "--ca-file", server.authorityFile, "--no-cache",
                "--timeout", "20",
            ], stdin: Array(input.utf8))
        let lines = try BatchTests.lines(result.stdout)
        #expect(lines.compactMap { $0["line"]?.number?.integer } == Array(1...Int64(order.count)))
        #expect(lines.map { $0.at("/issuer/iss")?.string } == order.map { issuers[$0] })
        #expect(lines.map { $0["verdict"]?.string } == order.map { $0 == 6 ? "undetermined" : "pass" })
        #expect(result.exitCode == 20)
        for number in 0..<6 { #expect(try server.requests(for: "\(name)-\(number)/").count == 1) }
    }

    @Test func noMoreThanTwentyUnknownIssuersAreAsked() async throws {
        let name = "/\(UUID().uuidString)"
        let cards = try SignedCards.sign((0..<30).map { .init(issuer: server.url("\(name)-\($0)")) }).cards
        let input = (cards + cards).joined(separator: "\n")
        let result = try await Shcverify.run(
            [
                "batch", "--allow-private-network", "--ca-file", server.authorityFile, "--no-cache", "--jobs", "1",
                "--timeout", "60",
            ],
            stdin: Array(input.utf8))
        let refused = try BatchTests.lines(result.stdout).filter {
            $0.at("/reason/message")?.string?.contains("have been asked for keys already") == true
        }
        #expect(refused.count == 20)
        #expect(try server.requests(for: name).count == 20)
    }

    @Test func interruptionLeavesTheCardsOfAnIssuerThatHangs() async throws {
        let name = "/\(UUID().uuidString)"
        let issuers = [server.url(name), server.url(name, port: "hang")]
        let signed = try SignedCards.sign(issuers.map { .init(issuer: $0) })
        try server.serve(signed.keySet(), at: "\(name)/.well-known/jwks.json")
        try await Paths.withTemporaryDirectory { directory in
            let input = directory.appendingPathComponent("cards")
            let output = directory.appendingPathComponent("verdicts")
            let order = (0..<300).map { $0 == 100 || $0 > 250 ? 1 : 0 }
            try Data(order.map { signed.cards[$0] }.joined(separator: "\n").utf8).write(to: input)
            let state = directory.appendingPathComponent("state").path
            let arguments = { (timeout: String) in
                [
                    input.path, "--resume", state, "--allow-private-network", "--ca-file", self.server.authorityFile,
                    "--no-cache", "--timeout", timeout,
                ]
            }
            let run = try BatchProcess(arguments("3600"), appendingTo: output)
            // Once it has asked the one issuer, it asks the other too.
            for _ in 0..<1200 where try server.requests(for: name).isEmpty { usleep(50_000) }
            usleep(500_000)
            let begin = ContinuousClock.now
            run.signal(SIGINT)
            #expect(run.wait() == 130)
            #expect(ContinuousClock.now - begin < .seconds(600), "it does not wait for the issuer")
            let done = String(decoding: try Paths.bytes(output.path), as: UTF8.self)
            #expect(try BatchTests.lines(done).allSatisfy { $0["verdict"]?.string == "pass" })
            #expect(try BatchTests.lines(done).count <= 100)
            #expect(
                try BatchProcess(arguments("20"), appendingTo: output).wait() == 20
            )
            let lines = try BatchTests.lines(String(decoding: try Paths.bytes(output.path), as: UTF8.self))
            #expect(lines.compactMap { $0["line"]?.number?.integer } == Array(1...300))
            #expect(lines.map { $0["verdict"]?.string } == order.map { $0 == 1 ? "undetermined" : "pass" })
        }
    }

    @Test func keysAndListsAreAskedForOnce() async throws {
        let name = "/\(UUID().uuidString)"
        let signed = try SignedCards.sign(
            ["Rid-1", "Rid-2"].map { .init(issuer: server.url(name), rid: $0) })
        try server.serve(signed.keySet(adding: ["crlVersion": 1]), at: "\(name)/.well-known/jwks.json")
        try server.serve(
            #"{"kid":"\#(signed.keyID())","method":"rid","ctr":1,"rids":["Rid-2"]}"#,
            at: "\(name)/.well-known/crl/\(signed.keyID()).json")
        let input = (0..<300).map { signed.cards[$0 % 2] }.joined(separator: "\n")
        let result = try await Shcverify.run(
            ["batch", "--allow-private-network", "--ca-file", server.authorityFile, "--no-cache", "--timeout", "60"],
            stdin: Array(input.utf8))
        let lines = try BatchTests.lines(result.stdout)
        #expect(lines.map { $0.at("/reason/code")?.string } == (0..<300).map { $0 % 2 == 0 ? nil : "revoked" })
        #expect(try server.requests(for: name).count == 2)
    }
}
