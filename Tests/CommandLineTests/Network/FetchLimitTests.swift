import Foundation
import TestSupport
import Testing

/// Commands that fetch, under low limits. Each one either works, or says at the start what is missing. It never
/// crashes, exceeds its time limit, or blames a server.
@Suite(.timeLimit(.minutes(30))) struct FetchLimitTests {
    private static let shared = Result { try Issuers() }

    /// Issuers, and a card of each.
    private struct Issuers {
        let server: TestIssuer
        let folder: TemporaryDirectory
        let card: String
        let hanging: String
        let cards: String

        init() throws {
            let server = try TestIssuer()
            (self.server, folder) = (server, try TemporaryDirectory())
            let issuers = (0..<12).map { server.url("/issuer-\($0)") }
            let signed = try SignedCards.sign((issuers + [server.url("/hang", port: "hang")]).map { .init(issuer: $0) })
            for number in 0..<12 { try server.serve(signed.keySet(), at: "/issuer-\(number)/.well-known/jwks.json") }
            card = try folder.write(signed.cards[0], to: "card")
            hanging = try folder.write(signed.cards[12], to: "hanging")
            cards = try folder.write(signed.cards[..<12].joined(separator: "\n"), to: "cards")
            for file in [card, hanging, cards, server.authorityFile] {
                try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
            }
            for place in [folder.url.path, (server.authorityFile as NSString).deletingLastPathComponent] {
                try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: place)
            }
        }
    }

    private let issuers: Issuers

    init() throws {
        issuers = try Self.shared.get()
    }

    /// Runs commands that fetch: for one card, for cards of many issuers, and for a live issuer.
    private func results(_ settings: [String], timeout: String = "600") async throws -> [Shcverify.Result] {
        let commands = [
            ["verify", issuers.card], ["batch", issuers.cards],
            ["lint", "--issuer", issuers.server.url("/issuer-0")],
        ]
        var results: [Shcverify.Result] = []
        for command in commands { results.append(try await run(command, settings, timeout: timeout)) }
        return results
    }

    private func run(_ command: [String], _ settings: [String], timeout: String) async throws -> Shcverify.Result {
        let network = [
            "--allow-private-network", "--ca-file", issuers.server.authorityFile, "--no-cache", "--timeout", timeout,
        ]
        return try await Shcverify.run(
            ["-B", Paths.limited] + settings + [Shcverify.path] + command + network,
            environment: ["SWIFT_BACKTRACE": "enable=no"], executable: "/usr/bin/python3")
    }

    @Test(
        arguments: [
            ["files=32"], ["files=36"], ["files=40"], ["files=48"], ["files=1024", "inherited=985"],
            ["ignored=SIGCHLD"], ["ignored=SIGCHLD,SIGALRM,SIGPIPE", "blocked=SIGCHLD,SIGALRM,SIGPIPE"],
        ])
    func worksUnderLowLimits(settings: [String]) async throws {
        for result in try await results(settings) { #expect(result.exitCode == 0, "\(settings): \(result.stderr)") }
    }

    @Test(.disabled(if: BuiltProduct.hasShadowMemory, "a sanitizer needs more memory than the limits allow"))
    func worksWithLittleMemory() async throws {
        for settings in [["addresses=256"], ["addresses=320"], ["addresses=500"], ["data=128"]] {
            for result in try await results(settings) { #expect(result.exitCode == 0, "\(settings): \(result.stderr)") }
        }
    }

    @Test(.disabled(if: BuiltProduct.hasShadowMemory, "a sanitizer needs more memory than the limits allow"))
    func reportsTooLittleMemory() async throws {
        for (setting, words) in [("addresses=195", "256 MiB"), ("data=39", "128 MiB")] {
            for result in try await results([setting]) {
                #expect(result.exitCode == 1 && result.stderr.contains(words), "\(setting): \(result.stderr)")
            }
        }
        let manyThreads = try await run(
            ["batch", "-q", "--jobs", "64", issuers.cards], ["addresses=488"], timeout: "600")
        #expect(manyThreads.exitCode == 0, "\(manyThreads.stderr)")
    }

    @Test(arguments: [["files=31"], ["files=1024", "inherited=1012"]])
    func reportsTooFewOpenFiles(settings: [String]) async throws {
        for result in try await results(settings) {
            #expect(result.exitCode == 1 && result.stderr.contains("open files"), "\(settings): \(result.stderr)")
        }
    }

    /// Whether another user can run the programs. That user has no other threads, so the limit is exact.
    private static let canBeAnother: Bool = {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = ["-B", Paths.limited, "threads=1000", Shcverify.path, "--version"]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try? process.run()
        process.waitUntilExit()
        return process.terminationStatus == 0
    }()

    @Test(
        .enabled(if: canBeAnother, "only root can run the programs as another user"),
        arguments: [1, 2, 3, 4, 6, 8, 10, 12, 15, 18, 22, 32, 64])
    func reportsTooFewThreads(threads: Int) async throws {
        for result in try await results(["threads=\(threads)"]) {
            let isSaid = result.exitCode == 1 && result.stderr.contains("ulimit -u")
            let isEnough = result.exitCode == 0
            let isRight = threads < 10 ? isSaid : threads < 32 ? isSaid || isEnough : isEnough
            #expect(isRight, "\(threads): \(result.stderr)")
        }
    }

    /// With pictures, threads are needed even offline. Without them, the search would wait for ever.
    @Test(
        .enabled(if: canBeAnother, "only root can run the programs as another user"), arguments: [1, 2, 3, 4, 6, 32])
    func reportsTooFewThreadsForPictures(threads: Int) async throws {
        let picture = issuers.folder.url.appendingPathComponent("card-\(threads).png").path
        try FileManager.default.copyItem(atPath: Paths.vector("pictures/screenshot.png"), toPath: picture)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: picture)
        for command in [
            ["verify", "--offline"], ["records", "--offline"], ["inspect"], ["inspect", "--format", "qr"],
        ] {
            let result = try await Shcverify.run(
                ["-B", Paths.limited, "threads=\(threads)", Shcverify.path] + command + [picture],
                environment: ["SWIFT_BACKTRACE": "enable=no"], executable: "/usr/bin/python3")
            let isSaid = result.exitCode == 1 && result.errorLines.count == 1 && result.stderr.contains("ulimit -u")
            #expect(isSaid == (threads <= 6), "\(command) \(threads): \(result.exitCode) \(result.stderr)")
        }
    }

    /// Dispatch reads the states of threads in /proc, and ends a program that does not find its own there.
    @Test(.enabled(if: canBeAnother, "only root can mount another /proc"))
    func saysThatProcIsOfAnotherNamespace() async throws {
        let picture = Paths.vector("pictures/screenshot.png")
        let commands = [
            ["verify", "--offline", picture], ["records", "--offline", picture], ["inspect", picture],
            ["lint", "--offline", picture], ["lint", "--offline", "--lines", issuers.cards],
            ["batch", "--offline", issuers.cards], ["status"], ["verify", issuers.card],
        ]
        for proc in [
            ["-m", "sh", "-c", #"mount -t tmpfs none /proc; exec "$0" "$@""#], ["-p", "-f", "sh", "-c", #""$0" "$@""#],
        ] {
            for command in commands {
                let result = try await Shcverify.run(
                    proc + [Shcverify.path] + command, environment: ["SWIFT_BACKTRACE": "enable=no"],
                    executable: "/usr/bin/unshare")
                #expect(
                    result.exitCode == 1 && result.errorLines.count == 1
                        && result.stderr.contains("/proc must be mounted for this PID namespace"),
                    "\(command): \(result.exitCode) \(result.stderr)")
            }
            // This needs no other thread.
            let card = Paths.vector("cards/valid/birth-year.jws")
            let result = try await Shcverify.run(
                proc + [Shcverify.path, card, "--offline", "-q", "--jwks", Paths.vector("keys/issuer-a.jwks.json")],
                environment: ["SWIFT_BACKTRACE": "enable=no"], executable: "/usr/bin/unshare")
            #expect(result.exitCode == 0, "\(result.stderr)")
        }
    }

    @Test(arguments: [["files=32"], ["ignored=SIGCHLD,SIGALRM", "blocked=SIGCHLD,SIGALRM"]])
    func keepsTheTimeLimit(settings: [String]) async throws {
        let result = try await run(["verify", issuers.hanging], settings, timeout: "1")
        #expect(result.exitCode == 20 && result.stderr.contains("within 1 second"), "\(settings): \(result.stderr)")
    }
}
