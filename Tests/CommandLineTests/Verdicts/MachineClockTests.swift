import Credentials
import Encodings
import Foundation
import HTTPSFetch
import TestSupport
import Testing

@testable import shcverify

/// A machine whose clock is wrong says so, and judges no card by it. Tests/Sessions/clock.md has it with a list from the future.
@Suite struct MachineClockTests {
    private static let card = [
        "--offline", "--jwks", Paths.vector("keys/issuer-a.jwks.json"), Paths.vector("cards/inputs/jws.jws"),
    ]

    /// The day is that of the version's heading, which is not in the future.
    @Test func releaseIsDatedByTheChangelog() throws {
        let changelog = try String(contentsOf: Paths.root.appendingPathComponent("CHANGELOG.md"), encoding: .utf8)
        #expect(changelog.contains("\n## [\(UserAgent.version)] - \(MachineClock.released)\n"))
        let release = try #require(NumericDate(text: "\(MachineClock.released)T00:00:00Z"))
        #expect(release.sinceEpoch < .seconds(Int64(Date().timeIntervalSince1970)))
    }

    @Test func clockBeforeAMarkIsWrong() throws {
        let mark = MachineClock.Mark(
            name: "the release of this program", time: try #require(NumericDate(text: "2026-11-23T00:00:00Z")))
        let problem = { (now: String) in NumericDate(text: now).flatMap { MachineClock.problem(at: $0, marks: [mark]) }
        }
        let words = try #require(problem("2019-01-01T00:00:00Z"))
        #expect(
            words
                == "this machine's clock shows 2019-01-01T00:00:00Z, which is before the release of this program (2026-11-23): set the clock"
        )
        #expect(problem("2026-11-20T23:59:59Z") != nil)
        // A release is dated by the day of its makers.
        for now in ["2026-11-21T00:00:00Z", "2026-11-23T00:00:00Z", "2030-01-01T00:00:00Z"] {
            #expect(problem(now) == nil)
        }
    }

    /// A library that sets the clock of a program to 2019; nil if there is no C compiler.
    private static let oldClock: (folder: TemporaryDirectory, library: String)? = {
        guard let folder = try? TemporaryDirectory() else { return nil }
        let source = """
            #define _GNU_SOURCE
            #include <dlfcn.h>
            #include <time.h>
            #include <sys/time.h>
            #include <sys/syscall.h>
            #include <unistd.h>
            int clock_gettime(clockid_t clock, struct timespec *time) {
                int result = (int)syscall(SYS_clock_gettime, clock, time);
                if (clock == CLOCK_REALTIME) time->tv_sec = 1546300800;
                return result;
            }
            int gettimeofday(struct timeval *restrict time, void *restrict zone) {
                time->tv_sec = 1546300800;
                time->tv_usec = 0;
                return 0;
            }
            """
        guard let path = try? folder.write(source, to: "clock.c") else { return nil }
        let library = folder.url.appendingPathComponent("clock.so").path
        for compiler in ["cc", "clang", "gcc"] {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = [compiler, "-shared", "-fPIC", "-o", library, path]
            process.standardError = FileHandle.nullDevice
            guard (try? process.run()) != nil else { continue }
            process.waitUntilExit()
            if process.terminationStatus == 0 { return (folder, library) }
        }
        return nil
    }()

    @Test(
        .enabled(if: oldClock != nil, "no C compiler"),
        .disabled(if: BuiltProduct.sanitizer != nil, "a sanitizer takes these functions itself"))
    func clockBeforeTheReleaseEndsTheCommand() async throws {
        let library = try #require(Self.oldClock?.library)
        let run = { try await Shcverify.run($0, environment: ["LD_PRELOAD": library]) }
        let result = try await run(Self.card)
        #expect(result.exitCode == 1 && result.stdout.isEmpty)
        #expect(
            result.stderr
                == "shcverify: this machine's clock shows 2019-01-01T00:00:00Z, which is before the release of this program "
                + "(\(MachineClock.released)): set the clock, or give the time with --at\n")
        let issued = try await run(["--at", "issued"] + Self.card)
        #expect(issued.exitCode == 1 && issued.stderr.hasSuffix("): set the clock\n"), "\(issued.stderr)")
        #expect(try await run(["batch"] + Self.card.dropLast() + ["/dev/null"]).exitCode == 1)
        #expect(try await run(["--at", "2026-06-01T00:00:00Z"] + Self.card).exitCode == 0)
        let json = try await run(["status", "--format", "json"])
        let clock = try JSONDocument.parse(Array(json.stdout.utf8))["items"]?.elements?.first {
            $0["name"]?.words == "clock"
        }
        #expect(json.exitCode == 1 && clock?["status"]?.words == "fault")
    }
}
