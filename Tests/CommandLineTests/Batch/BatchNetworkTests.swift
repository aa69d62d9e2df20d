import Encodings
import Foundation
import TestSupport
import Testing

/// `batch` against real HTTPS issuers on loopback.
@Suite(.timeLimit(.minutes(30))) struct BatchNetworkTests {
    private let server: TestIssuer
    /// The path of an issuer that only this test uses, and the beginning of others.
    private let name = "/\(UUID().uuidString)"

    init() throws { server = try TestIssuer.shared.get() }

    /// Options for a server on loopback, which answers sooner or later.
    private var network: [String] {
        ["--allow-private-network", "--ca-file", server.authorityFile, "--no-cache", "--timeout", "600"]
    }

    @Test func otherCardsGoOnWhileAnIssuerHangs() async throws {
        let issuers = (0..<6).map { server.url("\(name)-\($0)") } + [server.url("/held\(name)")]
        let signed = try SignedCards.sign(issuers.map { .init(issuer: $0) })
        for number in 0..<6 { try server.serve(signed.keySet(), at: "\(name)-\(number)/.well-known/jwks.json") }
        // The first card is from the issuer that hangs, and more follow between the others.
        let order = [6] + (0..<600).map { $0 % 50 == 7 ? 6 : $0 % 6 }
        let input = order.map { signed.cards[$0] }.joined(separator: "\n")
        async let run = Shcverify.run(["batch", "--jobs", "2"] + network, stdin: Array(input.utf8))
        let areAllAsked = try await eventually { try Set(server.requests(for: name).map(\.path)).count == 7 }
        #expect(areAllAsked)
        try server.release(name)
        let result = try await run
        let lines = try BatchTests.lines(result.stdout)
        #expect(lines.compactMap { $0["line"]?.number?.integer } == Array(1...Int64(order.count)))
        #expect(lines.map { $0.at("/issuer/iss")?.words } == order.map { issuers[$0] })
        #expect(lines.map { $0["verdict"]?.words } == order.map { $0 == 6 ? "undetermined" : "pass" })
        #expect(result.exitCode == 20)
        for number in 0..<6 { #expect(try server.requests(for: "\(name)-\(number)/").count == 1) }
    }

    /// Lines that arrive together are answered as soon as no earlier one waits.
    @Test(arguments: ["1", "2"]) func verdictsBeforeACardWhoseIssuerHangsAreWritten(jobs: String) throws {
        let card = try SignedCards.sign([.init(issuer: server.url(name, port: "hang"))]).cards[0]
        let run = try BatchProcess(["--jobs", jobs, "--fields", "line,verdict"] + network)
        try run.input.fileHandleForWriting.write(contentsOf: Data("x\ny\n\(card)\nz\n".utf8))
        let expected = #"{"line":1,"verdict":"fail"}"# + "\n" + #"{"line":2,"verdict":"fail"}"# + "\n"
        var output = Data()
        while output.count < expected.utf8.count, run.waitForOutput() {
            let part = run.output.fileHandleForReading.availableData
            guard !part.isEmpty else { break }
            output += part
        }
        #expect(String(decoding: output, as: UTF8.self) == expected)
        run.signal(SIGTERM)
        #expect(run.wait() == 143)
    }

    @Test func interruptionLeavesTheCardsOfAnIssuerThatHangs() async throws {
        let issuers = [server.url(name), server.url("/held\(name)")]
        let signed = try SignedCards.sign(issuers.map { .init(issuer: $0) })
        try server.serve(signed.keySet(), at: "\(name)/.well-known/jwks.json")
        let folder = try TemporaryDirectory()
        let output = folder.url.appendingPathComponent("verdicts")
        let order = (0..<300).map { $0 == 100 || $0 > 250 ? 1 : 0 }
        let input = try folder.write(order.map { signed.cards[$0] }.joined(separator: "\n"), to: "cards")
        let arguments = [input, "--resume", folder.url.path + "/state"] + network
        let run = try BatchProcess(arguments, appendingTo: output)
        #expect(try await eventually { try server.requests(for: "/held\(name)").count == 1 })
        run.signal(SIGINT)
        #expect(run.wait() == 130, "it does not wait for the issuer")
        let done = String(decoding: try Paths.bytes(output.path), as: UTF8.self)
        #expect(try BatchTests.lines(done).allSatisfy { $0["verdict"]?.words == "pass" })
        #expect(try BatchTests.lines(done).count <= 100)
        try server.release(name)
        #expect(try BatchProcess(arguments, appendingTo: output).wait() == 20)
        let lines = try BatchTests.lines(String(decoding: try Paths.bytes(output.path), as: UTF8.self))
        #expect(lines.compactMap { $0["line"]?.number?.integer } == Array(1...300))
        #expect(lines.map { $0["verdict"]?.words } == order.map { $0 == 1 ? "undetermined" : "pass" })
    }

    // MARK: Long runs

    /// A run that reads from a pipe and may ask the server.
    private func begin(_ options: [String] = []) throws -> BatchProcess { try BatchProcess(network + options) }

    private func end(_ run: BatchProcess, _ code: Int32) async throws {
        try run.input.fileHandleForWriting.close()
        // The output ends before the process does.
        let output = run.output.fileHandleForReading.fileDescriptor
        let left = try await blocking {
            var byte: UInt8 = 0
            return read(output, &byte, 1)
        }
        #expect(left == 0 && run.wait() == code)
    }

    /// Writes a line to a run. Returns the reason why the line does not verify; nil if it does.
    private func reason(_ run: BatchProcess, _ line: String) async throws -> String? {
        try await run.verdict(on: line).at("/reason/code")?.words
    }

    /// `--at` stops the clock for cards, but not for keys. The runs wait for keys at the same time.
    @Test func keyRemovedBetweenTwoLinesIsNotFound() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for directive in ["no-store", "no-cache"] {
                for options in [[], ["--at", "2026-06-01T00:00:00Z"]] {
                    group.addTask {
                        let name = "\(name)-\(directive)-\(options.count)"
                        let signed = try SignedCards.sign([.init(issuer: server.url(name))])
                        let serve = { (set: String) in
                            try server.serve(
                                set, at: "\(name)/.well-known/jwks.json", headers: ["Cache-Control": directive])
                        }
                        let run = try begin(options)
                        for _ in 0..<2 {
                            try serve(signed.keySet())
                            #expect(try await reason(run, signed.cards[0]) == nil)
                            try serve(#"{"keys":[]}"#)
                            #expect(try await reason(run, signed.cards[0]) == "key-not-found")
                        }
                        try await end(run, 12)
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    /// A file always has the next line ready. Asking the issuer for every block would take longer than everything else.
    @Test func unstorableAnswerIsKeptDuringABusyRun() async throws {
        let signed = try SignedCards.sign([.init(issuer: server.url(name))])
        try server.serve(
            signed.keySet(), at: "\(name)/.well-known/jwks.json", headers: ["Cache-Control": "no-store"])
        let folder = try TemporaryDirectory()
        let file = try folder.write(String(repeating: signed.cards[0] + "\n", count: 1000), to: "cards")
        let result = try await Shcverify.run(["batch", file, "--quiet"] + network)
        #expect(result.exitCode == 0 && result.stderr.contains("1000 lines: 1000 verified"))
        // A slow machine may take over a minute, and then the keys are fetched again.
        #expect(try server.requests(for: name).count <= 3)
    }

    @Test func cardRevokedBetweenTwoLinesFails() async throws {
        let signed = try SignedCards.sign([.init(issuer: server.url(name), rid: "Rid-1")])
        try server.serve(signed.keySet(adding: ["crlVersion": 1]), at: "\(name)/.well-known/jwks.json")
        let run = try begin()
        for (rids, code) in [("[]", nil), (#"["Rid-1"]"#, "revoked"), ("[]", nil)] {
            try server.serve(
                #"{"kid":"\#(signed.keyID())","method":"rid","ctr":1,"rids":\#(rids)}"#,
                at: "\(name)/.well-known/crl/\(signed.keyID()).json", headers: ["Cache-Control": "no-store"])
            #expect(try await reason(run, signed.cards[0]) == code)
        }
        try await end(run, 16)
        // The key set has no Cache-Control, so it was not fetched again.
        #expect(try server.requests(for: "\(name)/.well-known/jwks.json").count == 1)
    }

    @Test func cardExpiresDuringTheRun() async throws {
        let now = Int(Date().timeIntervalSince1970)
        // At least one of them is still valid when the run has begun, even on a slow machine.
        let expiries = [2, 4, 8, 16, 32, 64, 128, 256, 100_000].map { now + $0 }
        let signed = try SignedCards.sign(expiries.map { .init(issuer: server.url(name), exp: $0) })
        try server.serve(signed.keySet(), at: "\(name)/.well-known/jwks.json")
        let run = try begin()
        let still = try begin(["--at", "\(now)"])
        let soon = signed.cards.indices.dropLast()
        var valid: Int?
        for index in soon where valid == nil {
            if try await reason(run, signed.cards[index]) == nil { valid = index }
        }
        let index = try #require(valid)
        #expect(try await reason(still, signed.cards[index]) == nil)
        while Date().timeIntervalSince1970 < Double(expiries[index]) {
            try await Task.sleep(for: .milliseconds(20))
        }
        #expect(try await reason(run, signed.cards[index]) == "expired")
        #expect(try await reason(still, signed.cards[index]) == nil)
        #expect(try await reason(run, signed.cards[8]) == nil)
        try await end(run, 15)
        try await end(still, 0)
    }

    /// Both runs pause at the same time.
    @Test func asksAFailedIssuerAgainAfterAPause() async throws {
        async let missing: Void = expectAPause("/missing", isAnswered: true)
        async let failed: Void = expectAPause("/status-503", isAnswered: false)
        _ = try await (missing, failed)
    }

    private func expectAPause(_ kind: String, isAnswered: Bool) async throws {
        let issuer = "\(kind)\(name)"
        let signed = try SignedCards.sign([.init(issuer: server.url(issuer))])
        let run = try begin()
        let path = "\(issuer)/.well-known/jwks.json"
        #expect(try await reason(run, signed.cards[0]) == "keys-unavailable")
        #expect(try server.requests(for: path).count == 1)
        if isAnswered { try server.serve(signed.keySet(), at: path) }
        // The first pause is five seconds. The issuer is not asked sooner, and only once after it.
        var last: String?
        repeat {
            last = try await reason(run, signed.cards[0])
            try await Task.sleep(for: .milliseconds(100))
        } while try server.requests(for: path).count == 1
        #expect(try server.requests(for: path).count == 2)
        #expect(last == (isAnswered ? nil : "keys-unavailable"))
        try await end(run, 20)
    }

    @Test func fetchesKeysAndListsOnce() async throws {
        let signed = try SignedCards.sign(
            ["Rid-1", "Rid-2"].map { .init(issuer: server.url(name), rid: $0) })
        try server.serve(signed.keySet(adding: ["crlVersion": 1]), at: "\(name)/.well-known/jwks.json")
        try server.serve(
            #"{"kid":"\#(signed.keyID())","method":"rid","ctr":1,"rids":["Rid-2"]}"#,
            at: "\(name)/.well-known/crl/\(signed.keyID()).json")
        let input = (0..<300).map { signed.cards[$0 % 2] }.joined(separator: "\n")
        let result = try await Shcverify.run(["batch"] + network, stdin: Array(input.utf8))
        let lines = try BatchTests.lines(result.stdout)
        #expect(lines.map { $0.at("/reason/code")?.words } == (0..<300).map { $0 % 2 == 0 ? nil : "revoked" })
        #expect(try server.requests(for: name).count == 2)
    }
}
