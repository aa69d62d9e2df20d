import Encodings
import Foundation
import TestSupport
import Testing

/// Half of the issuers are hostile, each in its own way. Benchmarks/hostile.py measures the same with more.
@Suite(.timeLimit(.minutes(30))) struct HostileNetworkTests {
    /// Where the hostile issuers are: a behaviour of the server, and its port. The first four answer nothing, or a byte now and then, until
    /// they are released. The others end soon.
    private static let hostile: [(path: String, port: String)] = [
        ("/held", "good"), ("/held", "good"), ("/held-drip", "good"), ("/held-drip", "good"), ("/large/64", "good"),
        ("/endless", "good"), ("/endless-headers", "good"), ("/compressed-bomb", "good"), ("/reset", "good"),
        ("/redirect-10", "good"), ("/redirect-loop", "good"), ("/garbage", "good"), ("", "good"),
        ("", "plain"), ("", "closed"),
    ]

    /// Every good card passes, no other one does, and each good issuer is asked once.
    @Test func goodCardsPassAmongThoseOfHostileIssuers() async throws {
        let server = try TestIssuer.shared.get()
        let name = "/\(UUID().uuidString)"
        var issuers = Self.hostile.enumerated().map { number, place in
            server.url("\(place.path)\(name)/hostile-\(number)", port: place.port)
        }
        issuers += Self.hostile.indices.map { server.url("\(name)/good-\($0)") }
        let signed = try SignedCards.sign(issuers.map { .init(issuer: $0) })
        for number in Self.hostile.indices {
            // A server may say that the keys are fresh for a day, so no good issuer is asked again, however long this takes.
            try server.serve(
                signed.keySet(), at: "\(name)/good-\(number)/.well-known/jwks.json",
                headers: ["Cache-Control": "max-age=86400"])
            try server.serve(
                #"{"keys":[{"kty":"#, at: "\(name)/hostile-\(number)/.well-known/jwks.json")
        }
        // The first block has cards of those that never answer, and one of those after it has good cards alone.
        let first = (0..<128).map { $0 % 4 } + (0..<300).map { Self.hostile.count + $0 % Self.hostile.count }
        let order = first + (0..<1572).map { $0 * 7 % issuers.count }
        let input = order.map { signed.cards[$0] }.joined(separator: "\n")
        let trust = issuers.flatMap { ["--trust", $0] }
        async let run = Shcverify.run(
            [
                "batch", "--fields", "line,verdict", "--allow-private-network", "--ca-file", server.authorityFile,
                "--no-cache", "--timeout", "600",
            ] + trust, stdin: Array(input.utf8))
        // No good one waits for those that never answer.
        let areAllAsked = try await eventually {
            try Set(server.requests(for: "\(name)/good-").map(\.path)).count == Self.hostile.count
        }
        #expect(areAllAsked)
        try server.release(name)
        let result = try await run
        #expect(result.exitCode == 20, "\(result.stderr)")
        let lines = try BatchTests.lines(result.stdout)
        #expect(lines.compactMap { $0["line"]?.number?.integer } == Array(1...Int64(order.count)))
        let expected: [String?] = order.map { $0 < Self.hostile.count ? "undetermined" : "pass" }
        #expect(lines.map { $0["verdict"]?.words } == expected)
        #expect(try server.requests(for: "\(name)/good-").count == Self.hostile.count)
    }
}
