import Foundation
import Glibc
import JSON

/// A run of `batch` that a test can interrupt, hold back and look at while it goes on.
final class BatchProcess {
    let process = Process()
    let input = Pipe()
    let output = Pipe()

    /// - Parameters:
    ///   - file: where standard output is appended to; nil for a pipe.
    ///   - ignoresSignals: whether SIGINT and SIGTERM are ignored when it starts.
    init(_ arguments: [String], appendingTo file: URL? = nil, ignoresSignals: Bool = false) throws {
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        let trap = ignoresSignals ? "trap '' INT TERM; " : ""
        process.arguments = ["-c", trap + #"exec "$0" batch "$@""#, Shcverify.path] + arguments
        process.standardInput = input
        process.standardError = FileHandle.nullDevice
        if let file {
            let descriptor = open(file.path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
            process.standardOutput = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        } else {
            process.standardOutput = output
        }
        // A shell has what runs in the background ignore them, and what is ignored at the start stays so.
        for number in [SIGINT, SIGTERM] { _ = Glibc.signal(number, SIG_DFL) }
        try process.run()
        if file == nil { try output.fileHandleForWriting.close() }
        try input.fileHandleForReading.close()
    }

    /// The most memory that the process has had, in KiB; 0 where that cannot be told.
    var peakMemory: Int {
        let status = (try? String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
    }

    /// Waits, for up to a minute, until it has written anything to the pipe.
    ///
    /// - Returns: whether it has.
    func waitForOutput() -> Bool {
        var end = pollfd(fd: output.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
        return poll(&end, 1, 60_000) == 1
    }

    /// Writes a line, and waits for its verdict.
    func verdict(on line: String) async throws -> JSONValue {
        try input.fileHandleForWriting.write(contentsOf: Data("\(line)\n".utf8))
        let descriptor = output.fileHandleForReading.fileDescriptor
        let text = try await blocking {
            var text: [UInt8] = []
            while text.last != UInt8(ascii: "\n") {
                var byte: UInt8 = 0
                guard read(descriptor, &byte, 1) == 1 else { throw NoVerdict() }
                text.append(byte)
            }
            return text
        }
        return try JSONDocument.parse(text)
    }

    struct NoVerdict: Error {}

    func signal(_ number: Int32) { kill(process.processIdentifier, number) }

    /// Waits for the end.
    ///
    /// - Returns: the exit code; the negative number of the signal that ended it.
    func wait() -> Int32 {
        process.waitUntilExit()
        return process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
    }
}
