import Foundation
import StrictJSON
import TestSupport
import Testing

/// `batch` on streams: endless, hostile, slow and broken ones.
@Suite(.timeLimit(.minutes(5))) struct BatchStreamTests {
    @Test func hostileLinesTakeNoMemory() throws {
        // JSON of 4 MiB that inflates from a few kilobytes, and a larger one past the limit.
        let empty = try bomb(count: 1_300_000)
        let large = try bomb(count: 3_000_000)
        let run = try BatchProcess(["--quiet", "--jobs", "2"] + BatchTests.options)
        let input = run.input.fileHandleForWriting
        let zeros = Data(count: 1 << 20)
        // A sanitizer would take minutes for them, and hides the memory that they take.
        let rounds = BuiltProduct.hasShadowMemory ? 1 : 6
        for _ in 0..<rounds * 17 { try input.write(contentsOf: zeros) }
        try input.write(contentsOf: Data("\n".utf8))
        for _ in 0..<20 { try input.write(contentsOf: Data(repeating: 0x0A, count: 10_000)) }
        for _ in 0..<rounds { try input.write(contentsOf: empty + large) }
        #expect(run.peakMemory < 300 << 10 || BuiltProduct.hasShadowMemory)
        try input.close()
        #expect(run.wait() == 10)
    }

    /// A line with a card whose payload is an array of many empty arrays.
    private func bomb(count: Int) throws -> Data {
        let script =
            "import zlib,base64 as b;e=lambda x:b.urlsafe_b64encode(x).rstrip(b'=').decode();"
            + "c=zlib.compressobj(9,zlib.DEFLATED,-15);"
            + "p=c.compress(b'{\"a\":['+b'[],'*\(count)+b'[]]}')+c.flush();"
            + "print(e(b'{\"alg\":\"ES256\",\"zip\":\"DEF\",\"kid\":\"x\"}')+'.'+e(p)+'.'+'A'*86)"
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = ["-c", script]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        defer { process.waitUntilExit() }
        return output.fileHandleForReading.readDataToEndOfFile()
    }

    @Test func slowConsumerSlowsDownTheReader() throws {
        let run = try BatchProcess(["--jobs", "2"] + BatchTests.options)
        let input = run.input.fileHandleForWriting
        _ = fcntl(input.fileDescriptor, F_SETFL, O_NONBLOCK)
        // Offers 200 MB. The run may take only what it can hold while nobody reads its output.
        let lines = [UInt8]((String(repeating: "x", count: 999) + "\n").utf8)
        let chunk = [UInt8](repeatElement(lines, count: 64).joined())
        var (taken, refusals) = (0, 0)
        while taken < 200_000_000, refusals < 40 {
            let count = chunk.withUnsafeBytes { write(input.fileDescriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                (taken, refusals) = (taken + count, 0)
            } else {
                refusals += 1
                usleep(50_000)
            }
        }
        #expect(taken < 32_000_000)
        #expect(run.peakMemory < 100 << 10 || BuiltProduct.hasShadowMemory)
        try run.output.fileHandleForReading.close()
        try input.close()
        // Some verdicts were never read.
        #expect(run.wait() == 1 || taken == 0)
    }

    @Test func missingReaderGivesOneErrorLine() async throws {
        let card = try BatchTests.card
        try await Paths.withTemporaryDirectory { directory in
            let file = directory.appendingPathComponent("cards")
            try Data(repeatElement(card, count: 20_000).joined(separator: "\n").utf8).write(to: file)
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/bin/bash")
            process.arguments =
                [
                    "-c", #""$@" 2>"$0/errors" | head -n 1 >"$0/out"; exit ${PIPESTATUS[0]}"#, directory.path,
                    Shcverify.path, "batch", file.path,
                ] + BatchTests.options
            try process.run()
            process.waitUntilExit()
            #expect(process.terminationStatus == 1)
            let errors = String(
                decoding: try Paths.bytes(directory.appendingPathComponent("errors").path), as: UTF8.self)
            #expect(errors.split(separator: "\n").count == 1)
            #expect(errors.contains("standard output was closed"))
            #expect(try Paths.bytes(directory.appendingPathComponent("out").path).filter { $0 == 0x0A }.count == 1)
        }
    }

    /// Nobody reads the verdicts, so nobody knows them, even though all lines were verified.
    @Test(arguments: [[], ["--resume", "state"]]) func unreadVerdictsAreAnError(_ options: [String])
        async throws
    {
        let folder = try TemporaryDirectory()
        let card = try folder.write(BatchTests.card, to: "card")
        // The pipe is opened for both directions first, since opening it for writing alone would wait. Then its reader
        // goes away.
        let script = #"cd "$0" && mkfifo p && exec 3<>p 4>p 3<&- && exec "$@" >&4 4>&-"#
        let result = try await Shcverify.run(
            ["-c", script, folder.url.path, Shcverify.path, "batch", card] + options + BatchTests.options,
            executable: "/bin/sh")
        #expect(result.exitCode == 1)
        #expect(result.errorLines.count == 1, "\(result.stderr)")
        #expect(result.stderr.contains("the verdicts from line 1 on were not written"))
    }

    @Test func quietRunNeedsNoReader() async throws {
        let folder = try TemporaryDirectory()
        let card = try folder.write(BatchTests.card, to: "card")
        let script = #"cd "$0" && mkfifo p && exec 3<>p 4>p 3<&- && exec "$@" >&4 4>&-"#
        let result = try await Shcverify.run(
            ["-c", script, folder.url.path, Shcverify.path, "batch", "-q", card] + BatchTests.options,
            executable: "/bin/sh")
        #expect(result.exitCode == 0)
    }

    @Test func signalIgnoredAtTheStartStaysIgnored() throws {
        let run = try BatchProcess(BatchTests.options, ignoresSignals: true)
        let (input, output) = (run.input.fileHandleForWriting, run.output.fileHandleForReading)
        let card = Data("\(try BatchTests.card)\n".utf8)
        for number in 1...3 {
            // The first verdict shows that the run has set up its signals.
            try input.write(contentsOf: card)
            #expect(output.availableData.starts(with: Data("{\"line\":\(number),".utf8)))
            run.signal(SIGINT)
            run.signal(SIGTERM)
        }
        try input.close()
        #expect(run.wait() == 0)
    }

    /// After the first signal, nobody waits for a reader for ever. A manager of services would end the run with SIGKILL.
    @Test func signalEndsARunWhoseReaderDoesNotRead() throws {
        let run = try BatchProcess(["--jobs", "1", "--bundle"] + BatchTests.options)
        let card = try BatchTests.card + "\n"
        // The pipe to the test is full long before all verdicts are written.
        let lines = Data(repeatElement(card, count: 500).joined().utf8)
        try run.input.fileHandleForWriting.write(contentsOf: lines)
        #expect(run.waitForOutput())
        run.signal(SIGTERM)
        #expect([143, -SIGTERM].contains(run.wait()))
    }

    /// A signal that comes while the run begins must not be lost.
    @Test func signalEndsTheRunWheneverItComes() throws {
        for number in 0..<24 {
            let run = try BatchProcess(["/dev/urandom", "-q"] + BatchTests.options)
            usleep(UInt32(number) * 8000)
            run.signal(number.isMultiple(of: 2) ? SIGTERM : SIGINT)
            #expect([143, 130, -SIGTERM, -SIGINT].contains(run.wait()))
        }
    }

    /// The next opened file must not take the place of a missing stream.
    @Test(arguments: [(">&-", 1), ("<&-", 66)]) func missingStreamIsAnError(_ redirection: String, _ code: Int32) throws
    {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/bash")
        let errors = Pipe()
        process.standardError = errors
        process.arguments =
            ["-c", #"echo x | "$@" \#(redirection)"#, "bash", Shcverify.path, "batch"] + BatchTests.options
        try process.run()
        let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == code)
        #expect(text.contains("Bad file descriptor"))
    }

    @Test func waitsForNonBlockingStreams() throws {
        let script =
            "import fcntl,os,sys;[fcntl.fcntl(f,fcntl.F_SETFL,fcntl.fcntl(f,fcntl.F_GETFL)|os.O_NONBLOCK) for f in (0,1)];"
            + "os.execv(sys.argv[1],sys.argv[1:])"
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = ["-c", script, Shcverify.path, "batch"] + BatchTests.options
        let (late, verdicts) = (Pipe(), Pipe())
        (process.standardInput, process.standardOutput) = (late, verdicts)
        process.standardError = FileHandle.nullDevice
        try process.run()
        usleep(300_000)
        let lines = Data(String(repeating: "x\n", count: 5000).utf8)
        try late.fileHandleForWriting.write(contentsOf: lines)
        try late.fileHandleForWriting.close()
        usleep(300_000)
        try verdicts.fileHandleForWriting.close()
        let count = verdicts.fileHandleForReading.readDataToEndOfFile().count { $0 == 0x0A }
        process.waitUntilExit()
        #expect(count == 5000)
        #expect(process.terminationStatus == 10)
    }

    @Test func secondSignalEndsTheRunAtOnce() throws {
        // Nobody reads the output, so the lines in work cannot be finished.
        let run = try BatchProcess(BatchTests.options)
        let input = run.input.fileHandleForWriting
        _ = fcntl(input.fileDescriptor, F_SETFL, O_NONBLOCK)
        let lines = [UInt8](String(repeating: "x\n", count: 4000).utf8)
        // The first output shows that the run has set up its signals.
        try input.write(contentsOf: Data("x\n".utf8))
        #expect(run.waitForOutput())
        for _ in 0..<20 {
            _ = lines.withUnsafeBytes { write(input.fileDescriptor, $0.baseAddress, $0.count) }
            usleep(50_000)
        }
        run.signal(SIGINT)
        usleep(500_000)
        #expect(run.process.isRunning)
        // Signals that come close together may be reported once.
        for _ in 0..<60 where run.process.isRunning {
            run.signal(SIGINT)
            usleep(500_000)
        }
        #expect(run.wait() == 130)
    }

    @Test func fullDiskIsAnError() throws {
        let run = try BatchProcess(BatchTests.options, appendingTo: URL(fileURLWithPath: "/dev/full"))
        try run.input.fileHandleForWriting.write(contentsOf: Data("x\n".utf8))
        try run.input.fileHandleForWriting.close()
        #expect(run.wait() == 1)
    }

    @Test func verdictComesBeforeTheNextLine() throws {
        let run = try BatchProcess(BatchTests.options)
        let (input, output) = (run.input.fileHandleForWriting, run.output.fileHandleForReading)
        for number in 1...3 {
            try input.write(contentsOf: Data("\(try BatchTests.card)\n".utf8))
            let verdict = output.availableData
            #expect(verdict.starts(with: Data("{\"line\":\(number),".utf8)))
        }
        try input.close()
        #expect(run.wait() == 0)
    }
}
