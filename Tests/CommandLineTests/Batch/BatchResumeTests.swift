import Foundation
import StrictJSON
import Testing

/// `batch --resume` continues an interrupted run, without a line lost or doubled.
@Suite(.timeLimit(.minutes(5))) struct BatchResumeTests {
    private static let count = 4000

    /// A file with cards and other lines, and the verdicts of an uninterrupted run.
    private func prepare(_ directory: URL) async throws -> (input: URL, verdicts: String) {
        let card = try BatchTests.card
        let lines = (1...Self.count).map { $0 % 5 == 0 ? card : "{\"id\":\($0)}" }
        let file = directory.appendingPathComponent("cards")
        try Data(lines.joined(separator: "\n").utf8).write(to: file)
        let result = try await Shcverify.run(["batch", file.path] + BatchTests.options)
        return (file, result.stdout)
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGKILL]) func continuesAnInterruptedRun(_ signal: Int32) async throws {
        try await Paths.withTemporaryDirectory { directory in
            let (input, verdicts) = try await prepare(directory)
            let output = directory.appendingPathComponent("verdicts")
            let state = directory.appendingPathComponent("state")
            let arguments = [input.path, "--resume", state.path, "--jobs", "2"] + BatchTests.options
            var code: Int32 = -1
            for delay in [10_000, 150_000, 400_000, 700_000, 1_200_000] as [UInt32] {
                let run = try BatchProcess(arguments, appendingTo: output)
                usleep(delay)
                run.signal(signal)
                code = run.wait()
                #expect([10, signal == SIGKILL ? -signal : 128 + signal, -signal].contains(code))
            }
            while code != 10 {
                code = try BatchProcess(arguments, appendingTo: output).wait()
                #expect([10].contains(code))
                guard code == 10 else { break }
            }
            #expect(String(decoding: try Paths.bytes(output.path), as: UTF8.self) == verdicts)
            let document = try JSONDocument.parse(try Paths.bytes(state.path))
            #expect(document["lines"]?.number?.integer == Int64(Self.count))
            #expect(document["line"]?.number?.integer == Int64(Self.count + 1))
            #expect(document.at("/reasons/malformed-input")?.number?.integer == Int64(Self.count * 4 / 5))
        }
    }

    @Test func finishedRunReadsOnlyAppendedLines() async throws {
        try await Paths.withTemporaryDirectory { directory in
            let input = directory.appendingPathComponent("cards")
            let state = directory.appendingPathComponent("state").path
            try Data("x\ny\n".utf8).write(to: input)
            let arguments = ["batch", input.path, "--resume", state] + BatchTests.options
            #expect(try await BatchTests.lines(Shcverify.run(arguments).stdout).count == 2)
            let again = try await Shcverify.run(arguments)
            #expect(again.stdout.isEmpty)
            #expect(again.exitCode == 10)
            try Data("x\ny\nz".utf8).write(to: input)
            let more = try await BatchTests.lines(Shcverify.run(arguments).stdout)
            #expect(more.compactMap { $0["line"]?.number?.integer } == [3])
            try Data("x\ny\nzz\n".utf8).write(to: input)
            #expect(try await Shcverify.run(arguments).exitCode == 64, "the third line has changed")
        }
    }

    @Test func twoRunsCannotUseOneState() async throws {
        try await Paths.withTemporaryDirectory { directory in
            let state = directory.appendingPathComponent("state").path
            let first = try BatchProcess(["--resume", state] + BatchTests.options)
            // Once the state file exists, the run holds the lock.
            for _ in 0..<400 where !FileManager.default.fileExists(atPath: state) { usleep(50_000) }
            let arguments = ["batch", "--resume", state] + BatchTests.options
            let second = try await Shcverify.run(arguments)
            #expect(second.exitCode == 1)
            #expect(second.stdout.isEmpty)
            #expect(second.stderr.contains("another run"))
            try first.input.fileHandleForWriting.close()
            #expect(first.wait() == 27, "it read no line")
            #expect(try await Shcverify.run(arguments, stdin: Array("x".utf8)).exitCode == 10)
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["state"])
        }
    }

    /// Lock files of other programs are not touched. If the lock file cannot be locked, the run ends.
    @Test func leavesLocksOfOtherProgramsAlone() async throws {
        try await Paths.withTemporaryDirectory { directory in
            let arguments = ["batch", "--resume", directory.appendingPathComponent("state").path] + BatchTests.options
            let other = directory.appendingPathComponent("state.lock")
            try Data("mine".utf8).write(to: other)
            #expect(try await Shcverify.run(arguments, stdin: Array("x".utf8)).exitCode == 10)
            #expect(try Data(contentsOf: other) == Data("mine".utf8))
            let lock = directory.appendingPathComponent(".state.batch-lock")
            try FileManager.default.createSymbolicLink(at: lock, withDestinationURL: other)
            let refused = try await Shcverify.run(arguments)
            #expect(refused.exitCode == 1)
            #expect(refused.stderr.contains("cannot be written: the lock"))
            #expect(try Data(contentsOf: other) == Data("mine".utf8))
        }
    }

    @Test func refusesAChangedInput() async throws {
        try await Paths.withTemporaryDirectory { directory in
            let input = directory.appendingPathComponent("cards")
            let state = directory.appendingPathComponent("state").path
            try Data("x\ny\n".utf8).write(to: input)
            let arguments = ["batch", input.path, "--resume", state] + BatchTests.options
            #expect(try await BatchTests.lines(Shcverify.run(arguments).stdout).count == 2)
            try Data("x\nz\nmore\n".utf8).write(to: input)
            let result = try await Shcverify.run(arguments)
            #expect(result.exitCode == 64, "the line has the same length, but other contents")
            #expect(result.stdout.isEmpty)
        }
    }

    /// All judged lines are compared, however long ago they were read.
    @Test func refusesAnInputWhoseEarlierLinesHaveChanged() async throws {
        try await Paths.withTemporaryDirectory { directory in
            let input = directory.appendingPathComponent("cards")
            let state = directory.appendingPathComponent("state").path
            var lines = (0..<60_000).map { "{\"id\":\"a line of some length that is none \($0)\"}" }
            let text = { Data((lines.joined(separator: "\n") + "\n").utf8) }
            try text().write(to: input)
            #expect(text().count > 2 << 20)
            let arguments = ["batch", input.path, "-q", "--resume", state] + BatchTests.options
            #expect(try await Shcverify.run(arguments).exitCode == 10)
            #expect(try await Shcverify.run(arguments).exitCode == 10)
            lines.append("one more")
            try text().write(to: input)
            let more = try await Shcverify.run(arguments)
            #expect(more.exitCode == 10 && more.stderr.contains("60001 lines"), "\(more.stderr)")
            for changed in [0, 30_000, 59_999] {
                let line = lines[changed]
                lines[changed] = line.replacing("none", with: "NONE")
                try text().write(to: input)
                let result = try await Shcverify.run(arguments)
                #expect(result.exitCode == 64 && result.stderr.contains("has changed"), "\(result.stderr)")
                lines[changed] = line
            }
            try text().write(to: input)
            #expect(try await Shcverify.run(arguments).exitCode == 10)
        }
    }

    /// The state has the digest of the lines as they were judged, and not of what is in the file when the state is written.
    @Test func refusesAnInputThatHasChangedDuringTheRun() async throws {
        try await Paths.withTemporaryDirectory { directory in
            let input = directory.appendingPathComponent("cards")
            let state = directory.appendingPathComponent("state").path
            let text = Data(String(repeating: "{\"id\":\"a line\"}\n", count: 20_000).utf8)
            try text.write(to: input)
            let arguments = [input.path, "--resume", state] + BatchTests.options
            // Nobody reads the verdicts, so the run waits long before its end.
            let run = try BatchProcess(arguments)
            #expect(run.waitForOutput())
            let file = try FileHandle(forWritingTo: input)
            try file.seek(toOffset: 8)
            try file.write(contentsOf: Data("A".utf8))
            try file.close()
            // Another process may have inherited the pipe, so its end is not waited for.
            var lines = 0
            while lines < 20_000 {
                let verdicts = try #require(try run.output.fileHandleForReading.read(upToCount: 1 << 16))
                lines += verdicts.count { $0 == 0x0A }
            }
            #expect(run.wait() == 10)
            let changed = try await Shcverify.run(["batch"] + arguments)
            #expect(changed.exitCode == 64 && changed.stderr.contains("has changed"), "\(changed.stderr)")
            try text.write(to: input)
            #expect(try await Shcverify.run(["batch"] + arguments).exitCode == 10)
        }
    }

    /// What a pipe holds before the place is read and compared too.
    @Test func refusesAPipeWhoseJudgedLinesHaveChanged() async throws {
        try await Paths.withTemporaryDirectory { directory in
            let arguments =
                ["batch", "-", "--resume", directory.appendingPathComponent("state").path] + BatchTests.options
            let run = { (text: String) in try await Shcverify.run(arguments, stdin: Array(text.utf8)) }
            let long = (0..<5000).map { "{\"id\":\"a line \($0)\"}\n" }.joined()
            #expect(try await BatchTests.lines(run(long).stdout).count == 5000)
            #expect(try await run(long).stdout.isEmpty)
            let more = try await run(long + "x")
            #expect(try BatchTests.lines(more.stdout).compactMap { $0["line"]?.number?.integer } == [5001])
            for changed in [
                long.replacing("line 0\"", with: "line 1\"") + "x",
                long.replacing("line 4999", with: "line 5999") + "x",
                long + "y", long + "xx\ny\n", long, "", "x",
            ] {
                let result = try await run(changed)
                #expect(result.exitCode == 64 && result.stdout.isEmpty, "\(changed.suffix(20))")
                #expect(result.errorLines.count == 1 && result.stderr.contains("stdin has changed"), "\(result.stderr)")
            }
            #expect(try await run(long + "x").exitCode == 10)
        }
    }

    @Test func doesNotCutOffOutputOfAnotherRun() async throws {
        try await Paths.withTemporaryDirectory { directory in
            let output = directory.appendingPathComponent("verdicts")
            let runs = try ["a", "b"].map { name in
                let input = directory.appendingPathComponent(name).path
                try Data("x\ny\n".utf8).write(to: URL(fileURLWithPath: input))
                return [input, "--resume", input + ".state"] + BatchTests.options
            }
            #expect(try BatchProcess(runs[0], appendingTo: output).wait() == 10)
            #expect(try BatchProcess(runs[1], appendingTo: output).wait() == 10)
            let before = try Paths.bytes(output.path)
            #expect(try BatchProcess(runs[0], appendingTo: output).wait() == 64)
            #expect(try Paths.bytes(output.path) == before)
            // Verdicts that the run wrote and the state does not count are cut off.
            let own = directory.appendingPathComponent("own")
            let third = [runs[0][0], "--resume", directory.appendingPathComponent("c").path] + BatchTests.options
            #expect(try BatchProcess(third, appendingTo: own).wait() == 10)
            let verdicts = try Paths.bytes(own.path)
            try Data(verdicts + Array("{\"line\":3,\"source\":\"x\"}\n{\"line\":4,\"sou".utf8)).write(to: own)
            let state = try String(contentsOfFile: third[2], encoding: .utf8)
            // Writing atomically made a new file, so the state must name that file.
            let number = try #require(
                try FileManager.default.attributesOfItem(atPath: own.path)[.systemFileNumber] as? Int)
            try state.replacing(/"file": \d+/, with: "\"file\": \(number)")
                .write(toFile: third[2], atomically: true, encoding: .utf8)
            #expect(try BatchProcess(third, appendingTo: own).wait() == 10)
            #expect(try Paths.bytes(own.path) == verdicts)
        }
    }

    /// The number of the line may be all that is printed.
    @Test func continuesLinesThatHaveOnlyTheirNumber() async throws {
        try await Fault.check([
            Fault(
                "only numbers",
                #"printf 'x\ny\n' > cards; run() { "$S" batch cards "$@" --fields line --resume state >> out; }; "#
                    + #"run "$@" 2> summary; cp out before; printf '{"line":3}\n{"line":4' >> out; "#
                    + #"run "$@" 2> summary; code=$?; cmp out before || exit 99; exit $code"#, 10)
        ])
    }

    @Test func continuesUnreadableOutputIfNothingIsCutOff() async throws {
        // Root may read the file as well, so the script takes that right away.
        let prelude =
            #"p=; test "$(id -u)" != 0 || p="setpriv --bounding-set=-dac_override,-dac_read_search"; "#
            + #"printf 'x\ny\n' > cards; : > out; chmod 200 out; "#
            + #"run() { $p "$S" batch cards "$@" --resume state >> out; }; run "$@" 2> summary; "#
        try await Fault.check([
            Fault("nothing to cut off", prelude + #"run "$@" 2> summary"#, 10),
            Fault(
                "something that cannot be seen",
                prelude + #"size() { stat -c %s out; }; printf '{"line":3,' >> out; before=$(size); run "$@"; "#
                    + #"code=$?; test "$before" = "$(size)" || exit 99; exit $code"#, 64,
                "cannot be read: Permission denied"),
        ])
    }

    @Test func refusesAnUnusableState() async throws {
        try await Paths.withTemporaryDirectory { directory in
            let input = directory.appendingPathComponent("cards").path
            let state = directory.appendingPathComponent("state")
            try Data("x\n".utf8).write(to: URL(fileURLWithPath: input))
            let arguments = ["--resume", state.path] + BatchTests.options
            try Data("{}".utf8).write(to: state)
            #expect(try await Shcverify.run(["batch", input] + arguments).exitCode == 64)
            try FileManager.default.removeItem(at: state)
            #expect(try await Shcverify.run(["batch", input] + arguments).exitCode == 10)
            #expect(try await Shcverify.run(["batch", "-"] + arguments).exitCode == 64, "another input")
            let nowhere = directory.appendingPathComponent("none/state").path
            let result = try await Shcverify.run(["batch", input, "--resume", nowhere] + BatchTests.options)
            #expect(result.exitCode == 1)
            #expect(result.stdout.isEmpty)
        }
    }

    // MARK: Policy

    /// Each set of options is another policy, and the message names the difference.
    @Test func refusesAnotherPolicy() async throws {
        let keys = Paths.vector("keys/issuer-a.jwks.json")
        let options = [
            "--jwks", "https://issuer-a.example/cards=\(keys)", "--crl", Paths.vector("crls/revocation-listed.json"),
            "--offline",
            "--directory", Paths.vector("directories/directory-listed.json"), "--trust", "https://a.example",
            "--trust", "https://b.example", "--anchor", Paths.vector("certificates/certificates-anchored.pem"),
            "--record-type", "immunization", "--record-type", "covid19", "--since", "2020",
            "--at", "2026-06-01T00:00:00Z",
        ]
        /// The options without one of them, or with another value of it.
        func replacing(_ option: String, with value: String? = nil) -> [String] {
            let place = options.firstIndex(of: option)!
            return options[..<place] + (value.map { [option, $0] } ?? []) + options[(place + 2)...]
        }
        let other = Paths.vector("keys/sets/keys-other-key-under-kid.jwks.json")
        let changes: [(options: [String], words: String)] = [
            (replacing("--jwks"), "keys (--jwks);"),
            (replacing("--jwks", with: "https://issuer-a.example/cards=\(other)"), "keys (--jwks);"),
            (replacing("--jwks", with: "https://a.example=\(keys)"), "keys (--jwks);"),
            (options + ["--jwks", "https://a.example=\(other)"], "keys (--jwks);"),
            (replacing("--crl"), "keys (--crl);"),
            (replacing("--directory"), "trust (--directory);"),
            (
                replacing("--directory", with: Paths.vector("directories/directory-snapshot.json")),
                "trust (--directory);"
            ),
            (replacing("--trust"), "trust (--trust);"),
            (replacing("--anchor"), "trust (--anchor);"),
            (options + ["--max-directory-age", "3"], "trust (--max-directory-age);"),
            (options + ["--require-trusted"], "trust (--require-trusted);"),
            (replacing("--record-type"), "filters (--record-type);"),
            (replacing("--since", with: "2021"), "filters (--since);"),
            (options + ["--until", "2030"], "filters (--until);"),
            (replacing("--at"), "time (--at);"),
            (replacing("--at", with: "2026-06-01T00:00:01Z"), "time (--at);"),
            (options.filter { $0 != "--offline" }, "network (--offline);"),
            (options + ["--max-stale", "1"], "network (--max-stale);"),
            (options + ["--allow-private-network"], "network (--allow-private-network);"),
            (
                options + ["--ca-file", Paths.vector("certificates/certificates-anchored.pem")],
                "network (--ca-file);"
            ),
            (options + ["--records", "--bundle"], "output (--records, --bundle);"),
            (replacing("--jwks") + ["--trust", "https://c.example"], "keys (--jwks), trust (--trust);"),
        ]
        try await Paths.withTemporaryDirectory { directory in
            let input = directory.appendingPathComponent("cards").path
            let state = directory.appendingPathComponent("state")
            try Data("x\n".utf8).write(to: URL(fileURLWithPath: input))
            let arguments = ["batch", input, "--resume", state.path]
            #expect(try await Shcverify.run(arguments + options).exitCode == 10)
            let before = try Data(contentsOf: state)
            for (changed, words) in changes {
                let result = try await Shcverify.run(arguments + changed)
                #expect(result.exitCode == 64 && result.stdout.isEmpty, "\(words) \(result.stderr)")
                #expect(result.stderr.contains("differs in \(words)"), "\(result.stderr)")
                #expect(result.errorLines.count { !$0.hasPrefix("shcverify: warning: ") } == 1)
                #expect(try Data(contentsOf: state) == before)
            }
            // The same policy written differently, and options that change no verdict.
            let copy = directory.appendingPathComponent("copy.json")
            try FileManager.default.copyItem(atPath: keys, toPath: copy.path)
            for same in [
                replacing("--jwks", with: "https://issuer-a.example/cards=\(copy.path)"),
                replacing("--trust") + ["--trust", "https://a.example"],
                replacing("--at", with: "1780272000"), options + ["--jobs", "1", "--no-precompute", "--timeout", "3"],
            ] { #expect(try await Shcverify.run(arguments + same).exitCode == 10) }
            // The same file name with other contents.
            let own = ["batch", input, "--resume", state.path + "2", "--offline", "--jwks", copy.path]
            #expect(try await Shcverify.run(own).exitCode == 10)
            try Data("{\"keys\":[]}".utf8).write(to: copy)
            #expect(try await Shcverify.run(own).stderr.contains("differs in keys (--jwks);"))
        }
    }

    /// The state says which cards have passed, so nobody else may write to it.
    @Test func refusesAStateThatOthersMayWriteTo() async throws {
        try await Paths.withTemporaryDirectory { directory in
            let input = directory.appendingPathComponent("cards").path
            let state = directory.appendingPathComponent("state").path
            try Data("x\n".utf8).write(to: URL(fileURLWithPath: input))
            let arguments = ["batch", input, "--resume", state] + BatchTests.options
            #expect(try await Shcverify.run(arguments).exitCode == 10)
            #expect(chmod(state, 0o666) == 0)
            let result = try await Shcverify.run(arguments)
            #expect(result.exitCode == 66)
            #expect(result.errorLines.count == 1 && result.stderr.contains("other users may write to it"))
        }
    }

    @Test func refusesAStateOfAnotherVersion() async throws {
        try await Paths.withTemporaryDirectory { directory in
            let input = directory.appendingPathComponent("cards").path
            let state = directory.appendingPathComponent("state")
            try Data("x\n".utf8).write(to: URL(fileURLWithPath: input))
            let arguments = ["batch", input, "--resume", state.path] + BatchTests.options
            #expect(try await Shcverify.run(arguments).exitCode == 10)
            let text = try String(contentsOf: state, encoding: .utf8)
            try text.replacing(/"version": "[^"]*"/, with: #""version": "0.0-old""#)
                .write(to: state, atomically: true, encoding: .utf8)
            let other = try await Shcverify.run(arguments)
            #expect(other.exitCode == 64)
            #expect(other.stderr.contains(#"differs in version ("0.0-old", and this is "#))
            // States of old forms: without the policy, and with a digest of the last lines only.
            for old in [
                text.replacing(#""schemaVersion": 4"#, with: #""schemaVersion": 1"#),
                text.replacing(#""schemaVersion": 4"#, with: #""schemaVersion": 2"#),
                #"{"schemaVersion":1,"input":"x","line":1,"offset":0,"exitCode":0,"lines":0,"reasons":{},"output":null}"#,
            ] {
                try old.write(to: state, atomically: true, encoding: .utf8)
                let result = try await Shcverify.run(arguments)
                #expect(
                    result.exitCode == 64 && result.stderr.contains("an earlier version wrote it"), "\(result.stderr)")
            }
            try text.replacing(/"--jwks": "[^"]*",?/, with: "").write(to: state, atomically: true, encoding: .utf8)
            #expect(try await Shcverify.run(arguments).exitCode == 64)
        }
    }

    @Test func refusesOverwrittenOutput() async throws {
        try await Paths.withTemporaryDirectory { directory in
            let input = directory.appendingPathComponent("cards")
            let output = directory.appendingPathComponent("verdicts")
            try Data("x\ny\n".utf8).write(to: input)
            let state = directory.appendingPathComponent("state").path
            let arguments = [input.path, "--resume", state] + BatchTests.options
            #expect(try BatchProcess(arguments, appendingTo: output).wait() == 10)
            try FileHandle(forWritingTo: output).truncate(atOffset: 3)
            #expect(try BatchProcess(arguments, appendingTo: output).wait() == 64)
        }
    }
}
