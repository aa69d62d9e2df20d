import Foundation
import TestSupport
import Testing

/// If the cache cannot be used, or somebody has tampered with it, the card is verified without it.
@Suite(.timeLimit(.minutes(30))) struct CacheFaultTests {
    @Test func faultyCacheDoesNotChangeTheVerdict() async throws {
        let server = try TestIssuer()
        let signed = try SignedCards.sign([.init(issuer: server.url("/issuer"))])
        let other = try SignedCards.sign([.init(issuer: server.url("/issuer"), key: "issuer-b")])
        try server.serve(signed.keySet(), at: "/issuer/.well-known/jwks.json")
        let folder = try TemporaryDirectory()
        try folder.write(signed.cards[0], to: "card")
        let prelude =
            #"cd "$T"; set -- "$S" "$T/card" -q --allow-private-network --ca-file "$CA" --timeout 600 --cache "$T/c"; "#
        // Faults of the cache. After each of them, the same card must verify with the keys that the issuer publishes.
        let faults = [
            "rm -r c; mkfifo c",
            #"f=$(ls c); rm "c/$f"; ln -s "$T/card" "c/$f""#, #"f=$(ls c); rm "c/$f"; mkfifo "c/$f""#,
            #"rm -r c; ulimit -f 0"#, #"rm -r c; ulimit -n 32"#,
        ]
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, fault) in faults.enumerated() {
                if index >= 4 { try await group.next() }
                group.addTask {
                    let place = try TemporaryDirectory()
                    let card = try place.write(signed.cards[0], to: "card")
                    let script = prelude + #"mkdir -m 700 c; "$@" || exit 99; \#(fault); "$@""#
                    let result = try await Shcverify.run(
                        ["-c", script],
                        environment: ["S": Shcverify.path, "T": place.url.path, "CA": server.authorityFile],
                        executable: "/bin/sh")
                    // A cache that cannot be used at all is said once.
                    let said = index == 0 ? "shcverify: cache not used: \(place.url.path)/c is not a folder\n" : ""
                    #expect(
                        result.exitCode == 0 && result.stderr == said,
                        "\(fault): \(result.exitCode) \(result.stderr)")
                    let left = (try? FileManager.default.contentsOfDirectory(atPath: place.url.path + "/c")) ?? []
                    #expect(!left.contains { $0.hasPrefix(".") }, "\(fault) left a draft: \(left)")
                    let isCardWhole = try String(contentsOfFile: card, encoding: .utf8) == signed.cards[0]
                    #expect(isCardWhole, "\(fault): the target of a link is not written")
                }
            }
            try await group.waitForAll()
        }
        // If others may write to the cache, its key sets are not used.
        try server.serve(other.keySet(), at: "/issuer/.well-known/jwks.json")
        let script = prelude + #"mkdir -m 700 c; "$@"; chmod 777 c; "$@""#
        let result = try await Shcverify.run(
            ["-c", script], environment: ["S": Shcverify.path, "T": folder.url.path, "CA": server.authorityFile],
            executable: "/bin/sh")
        #expect(result.exitCode == 12, "\(result.stderr)")
        let said = "shcverify: cache not used: other users may write to \(folder.url.path)/c (mode 777)"
        #expect(result.stderr.split(separator: "\n").filter { $0 == said }.count == 1, "\(result.stderr)")
    }
}
