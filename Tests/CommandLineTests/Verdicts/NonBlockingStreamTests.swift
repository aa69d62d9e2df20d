import Foundation
import Testing

/// If standard streams are set not to block, the program waits until it can read or write.
@Suite(.timeLimit(.minutes(30))) struct NonBlockingStreamTests {
    @Test func readsAndWritesEverything() throws {
        let process = Process()
        let (input, output, errors) = (Pipe(), Pipe(), Pipe())
        process.executableURL = URL(fileURLWithPath: Shcverify.path)
        process.arguments = ["verify", "-", "--format", "json"] + OutputTests.keys
        process.standardInput = input
        process.standardOutput = output
        process.standardError = errors
        for end in [
            input.fileHandleForReading, output.fileHandleForWriting, errors.fileHandleForWriting,
        ] {
            _ = fcntl(end.fileDescriptor, F_SETFL, fcntl(end.fileDescriptor, F_GETFL) | O_NONBLOCK)
        }
        try process.run()
        try output.fileHandleForWriting.close()
        try errors.fileHandleForWriting.close()
        let cards = try Paths.bytes(Paths.vector("cards/inputs/file-hundred-cards.smart-health-card"))
        for part in [cards.prefix(100), cards.dropFirst(100)] {
            usleep(200_000)
            try input.fileHandleForWriting.write(contentsOf: Data(part))
        }
        try input.fileHandleForWriting.close()
        // The output is larger than the pipe.
        usleep(300_000)
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        #expect(text.components(separatedBy: #""Bundle""#).count - 1 == 100)
    }
}
