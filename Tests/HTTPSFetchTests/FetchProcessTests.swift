import Foundation
import TestSupport
import Testing

@testable import HTTPSFetch

/// `FetchProcess` with programs that behave as a `shcverify-fetch` that a hostile server has taken over could.
struct FetchProcessTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func fetcher(_ script: String, environment: [String: String] = [:]) throws -> FetchProcess {
        let path = try directory.write("#!/bin/sh\n\(script)\n", to: "fetch", permissions: 0o700)
        return FetchProcess(executable: path, environment: environment)
    }

    private func request(_ url: String = "https://issuer.example/", timeout: Duration = .seconds(20)) -> HTTPRequest {
        HTTPRequest(url: url, timeout: timeout, maximumBodySize: 1000)
    }

    private func file(_ name: String) throws -> String {
        try String(contentsOf: directory.url.appendingPathComponent(name), encoding: .utf8)
    }

    /// Whether the process whose number was written to `pid` has ended, and is not a zombie.
    private func isGone() throws -> Bool {
        let number = try file("pid").trimmingCharacters(in: .whitespacesAndNewlines)
        return !FileManager.default.fileExists(atPath: "/proc/\(number)")
    }

    @Test func passesTheRequestAndReturnsTheResponse() async throws {
        let fetcher = try fetcher(
            "cat > \(directory.url.path)/request\n"
                + #"printf '{"status":200,"headers":{"etag":"x"},"bodyLength":4}\n{\n}\n'"#)
        let request = request()
        let response = try await fetcher.send(request)
        #expect(response == HTTPResponse(status: 200, headers: ["etag": "x"], body: Array("{\n}\n".utf8)))
        #expect(HTTPRequest(wireForm: Array(try file("request").utf8)) == request)
    }

    /// A user who can write to these places decides what is run.
    @Test(arguments: [(0o700, 0o702), (0o702, 0o700), (0o1777, 0o755), (0o755, 0o777)])
    func startsNoProgramThatOthersCanWriteTo(directoryMode: Int, fileMode: Int) async throws {
        let fetcher = try fetcher("touch \(directory.url.path)/started")
        let manager = FileManager.default
        try manager.setAttributes([.posixPermissions: fileMode], ofItemAtPath: "\(directory.url.path)/fetch")
        try manager.setAttributes([.posixPermissions: directoryMode], ofItemAtPath: directory.url.path)
        let failure = await #expect(throws: TransportFailure.self) { try await fetcher.send(request()) }
        #expect(failure?.message.contains("not started from \(directory.url.path)") == true)
        #expect(failure?.message.contains("other users may write to it") == true)
        #expect(!manager.fileExists(atPath: "\(directory.url.path)/started"))
    }

    /// A server whose address or name crashes the process must not end a run that has fetched from others.
    @Test func reportsNoInstallationFaultAfterASuccessfulFetch() async throws {
        let once = directory.url.appending(path: "once").path
        let fetcher = try fetcher(
            "if [ -e \(once) ]; then exit 3; fi; touch \(once); "
                + #"printf '{"failure":"unresolvedName","message":"no such name"}\n'"#)
        for kind in [TransportFailure.Kind.unresolvedName, .fetcher, .fetcher] {
            let failure = await #expect(throws: TransportFailure.self) { try await fetcher.send(request()) }
            #expect(failure?.kind == kind)
        }
    }

    @Test(
        arguments: [
            ("exit 0", TransportFailure.Kind.installation), ("exit 3", .installation), ("kill -SEGV $$", .installation),
            ("exit 127", .installation), ("exit 64", .installation),
            (#"printf '{"failure":"installation","message":"no hook"}\n'"#, .installation),
            ("kill -ILL $$", .installation),
            ("kill -KILL $$", .fetcher), ("kill -ALRM $$", .timeout), ("echo nonsense", .installation),
            ("exec cat /dev/zero", .tooLarge),
            ("exec yes", .tooLarge),
            (#"printf '{"status":200,"headers":{},"bodyLength":9}\n{}'; exit 1"#, .installation),
            (#"printf '{"failure":"tls","message":"expired"}\n'"#, .tls), ("sleep 3 & exit 0", .installation),
            ("exec cat", .installation), ("echo complaint >&2", .installation),
        ])
    func survivesMisbehavingProcesses(script: String, kind: TransportFailure.Kind) async throws {
        let fetcher = try fetcher(script)
        let failure = await #expect(throws: TransportFailure.self) { try await fetcher.send(request()) }
        #expect(failure?.kind == kind)
        #expect(failure?.message.isEmpty == false)
    }

    /// All at the same time, since each takes the whole time that it has.
    @Test func endsAProcessThatHangs() async throws {
        let scripts = [
            "exec sleep 100", "ulimit -t 60; trap '' TERM INT HUP; while :; do :; done", "exec 1>&-; exec sleep 100",
            "printf '{\"status\":200,'; exec sleep 100", "kill -STOP $$", "sleep 4 & exit 0",
            "exec 0<&-; exec sleep 100",
        ]
        // All are written before one starts: a process that starts meanwhile would hold a script open, which cannot be executed then.
        let programs = try scripts.map { script in
            let test = try Self()
            return (script, test, try test.fetcher("echo $$ > \(test.directory.url.path)/pid; \(script)"))
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (script, test, fetcher) in programs {
                group.addTask { try await test.expectEnd(of: script, by: fetcher) }
            }
            try await group.waitForAll()
        }
    }

    private func expectEnd(of script: String, by fetcher: FetchProcess) async throws {
        let failure = await #expect(throws: TransportFailure.self) {
            try await fetcher.send(request(timeout: .milliseconds(2500)))
        }
        #expect(failure == TransportFailure(.timeout, "no complete answer within 2.5 seconds"), "\(script)")
        #expect(try isGone(), "\(script)")
    }

    @Test func endsTheProcessWhenTheTaskIsCancelled() async throws {
        let fetcher = try fetcher("echo $$ > \(directory.url.path)/pid; exec sleep 100")
        let request = request(timeout: .seconds(100))
        let fetch = Task { () -> TransportFailure? in
            do throws(TransportFailure) {
                _ = try await fetcher.send(request)
                return nil
            } catch {
                return error
            }
        }
        while (try? file("pid"))?.isEmpty ?? true { try await Task.sleep(for: .milliseconds(10)) }
        fetch.cancel()
        #expect(await fetch.value?.kind == .cancelled)
        #expect(try isGone())
    }

    @Test func startsNoProcessForARefusedAddress() async throws {
        let fetcher = try fetcher("touch \(directory.url.path)/started")
        for (url, kind) in [
            ("http://issuer.example/", TransportFailure.Kind.invalidURL), ("https://localhost/", .refusedAddress),
            ("https://127.1:8443/", .refusedAddress), ("https://[::ffff:10.0.0.1]/", .refusedAddress),
        ] {
            let failure = await #expect(throws: TransportFailure.self) { try await fetcher.send(request(url)) }
            #expect(failure?.kind == kind)
        }
        await #expect(throws: TransportFailure.self) { try await fetcher.send(request(timeout: .zero)) }
        #expect(throws: (any Error).self) { try file("started") }
    }

    @Test(arguments: ["/nowhere/shcverify-fetch", "/etc/passwd", "/etc", ""])
    func saysThatTheFetcherIsMissing(path: String) async throws {
        let failure = await #expect(throws: TransportFailure.self) {
            try await FetchProcess(executable: path).send(request())
        }
        #expect(failure?.kind == .installation)
        #expect(failure?.message.contains("program that fetches, \(path),") == true)
    }

    /// A line feed means that a server has been contacted.
    @Test(
        arguments: [
            (#"printf '\n'; kill -SEGV $$"#, TransportFailure.Kind.fetcher, "by what the server sent (signal 11)"),
            ("kill -SEGV $$", .installation, "crashed before it contacted a server (signal 11)"),
            ("exit 1", .installation, "before it contacted a server (exit code 1)"),
            ("kill -KILL $$", .fetcher, "no memory"),
            (#"printf '\n'; kill -TERM $$"#, .fetcher, "ended by signal 15"),
            (#"printf '\n'; exit 127"#, .fetcher, "exit code 127"), ("exit 127", .installation, "library"),
            (#"printf '{"failure":"installation","message":"no"}\n'"#, .installation, "cannot do so: no"),
            (#"printf '\n{"failure":"installation","message":"no"}\n'"#, .fetcher, "cannot be read"),
        ])
    func blamesOnlyAServerThatWasContacted(
        script: String, kind: TransportFailure.Kind, words: String
    ) async throws {
        let fetcher = try fetcher(script)
        let failure = await #expect(throws: TransportFailure.self) { try await fetcher.send(request()) }
        #expect(failure?.kind == kind && failure?.message.contains(words) == true, "\(failure?.message ?? "")")
    }

    @Test func passesOnNoOpenFiles() async throws {
        // Files that this process has inherited, for example, are not closed on exec.
        let open = try FileHandle(forReadingFrom: URL(fileURLWithPath: "/dev/null"))
        #expect(fcntl(open.fileDescriptor, F_SETFD, 0) == 0)
        let fetcher = try fetcher(
            "cd \(directory.url.path); exec /usr/bin/python3 -c "
                + #"'import os; names = os.listdir("/proc/self/fd"); open("files", "w").write(" ".join(sorted(names)))'"#
        )
        await #expect(throws: TransportFailure.self) { try await fetcher.send(request()) }
        // The last one is the directory that is being read.
        #expect(try file("files") == "0 1 2 3")
        try open.close()
    }

    @Test func passesOnOnlyTheNeededEnvironment() async throws {
        let fetcher = try fetcher(
            "env > \(directory.url.path)/environment", environment: ["https_proxy": "http://proxy.example:1"])
        await #expect(throws: TransportFailure.self) { try await fetcher.send(request()) }
        // The shell itself sets PWD and similar variables.
        let names = try file("environment").split(separator: "\n").map { $0.prefix { $0 != "=" } }
        #expect(Set(names).isSubset(of: ["https_proxy", "PWD", "OLDPWD", "SHLVL", "_"]))
        #expect(names.contains("https_proxy"))
    }

    @Test func runsManyAtOnce() async throws {
        let fetcher = try fetcher(#"printf '{"status":404,"headers":{},"bodyLength":0}\n'"#)
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<30 { group.addTask { try await fetcher.send(request()).status } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses == Array(repeating: 404, count: 30))
    }

    @Test func findsTheFetcherBesideTheProgram() throws {
        #expect(try FetchProcess.findExecutable() == BuiltProduct.path(of: "shcverify-fetch"))
    }
}
