import Encodings
import Foundation
import TestSupport
import Testing

/// `batch` on hostile and slow streams, and when signals come. Tests/Sessions/batch.md and faults.md have the rest.
@Suite(.timeLimit(.minutes(30))) struct BatchStreamTests {
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

    /// After the first signal, nobody waits for a reader for ever. A manager of services would end the run with SIGKILL. The run waits
    /// for some seconds, and meanwhile others end.
    @Test func signalEndsARunWhoseReaderDoesNotRead() throws {
        let run = try BatchProcess(["--jobs", "1", "--bundle"] + BatchTests.options)
        let card = try BatchTests.card + "\n"
        // The pipe to the test is full long before all verdicts are written.
        let lines = Data(repeatElement(card, count: 500).joined().utf8)
        try run.input.fileHandleForWriting.write(contentsOf: lines)
        #expect(run.waitForOutput())
        run.signal(SIGTERM)
        try expectASignalToEndARunWheneverItComes()
        #expect([143, -SIGTERM].contains(run.wait()))
    }

    /// A signal that comes while the run begins must not be lost.
    private func expectASignalToEndARunWheneverItComes() throws {
        for number in 0..<24 {
            let run = try BatchProcess(["/dev/urandom", "-q"] + BatchTests.options)
            usleep(UInt32(number) * 8000)
            run.signal(number.isMultiple(of: 2) ? SIGTERM : SIGINT)
            #expect([143, 130, -SIGTERM, -SIGINT].contains(run.wait()))
        }
    }

    /// `--resume` continues an interrupted run, without a line lost or doubled. Tests/Sessions/batch-resume.md has the rest.
    @Test(arguments: [SIGINT, SIGTERM, SIGKILL]) func interruptedRunIsContinued(_ signal: Int32) async throws {
        let folder = try TemporaryDirectory()
        let count = 4000
        let card = try BatchTests.card
        let lines = (1...count).map { $0 % 5 == 0 ? card : "{\"id\":\($0)}" }
        let input = try folder.write(lines.joined(separator: "\n"), to: "cards")
        let (output, state) = (folder.url.appendingPathComponent("verdicts"), folder.url.path + "/state")
        let verdicts = try await Shcverify.run(["batch", input] + BatchTests.options).stdout
        let arguments = [input, "--resume", state, "--jobs", "2"] + BatchTests.options
        let size = { (try? Data(contentsOf: output).count) ?? 0 }
        var code: Int32 = -1
        // The first signal comes while the run begins, and each of the others after it has written something.
        for part in 0..<5 {
            let run = try BatchProcess(arguments, appendingTo: output)
            _ = try await eventually { !run.process.isRunning || size() >= part * verdicts.utf8.count / 6 }
            run.signal(signal)
            code = run.wait()
            #expect([27, signal == SIGKILL ? -signal : 128 + signal, -signal].contains(code))
        }
        if code != 27 { #expect(try BatchProcess(arguments, appendingTo: output).wait() == 27) }
        #expect(String(decoding: try Paths.bytes(output.path), as: UTF8.self) == verdicts)
        let document = try JSONDocument.parse(try Paths.bytes(state))
        #expect(document["lines"]?.number?.integer == Int64(count))
        #expect(document["line"]?.number?.integer == Int64(count + 1))
        #expect(document.at("/reasons/empty-input")?.number?.integer == Int64(count * 4 / 5))
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
        waitUntil {
            run.signal(SIGINT)
            return !run.process.isRunning
        }
        #expect(run.wait() == 130)
    }
}
