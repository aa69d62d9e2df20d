import Encodings
import Foundation
import Glibc
import TestSupport

/// A run of `batch` that a test can interrupt, slow down and watch.
final class BatchProcess {
    let process = Process()
    let input = Pipe()
    let output = Pipe()

    /// - Parameters:
    ///   - file: the file to which standard output is appended; nil for a pipe.
    ///   - ignoresSignals: whether SIGINT and SIGTERM are ignored at the start.
    ///   - errors: where standard error goes; nil for nowhere.
    init(
        _ arguments: [String], appendingTo file: URL? = nil, ignoresSignals: Bool = false, errors: Pipe? = nil
    ) throws {
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        let trap = ignoresSignals ? "trap '' INT TERM; " : ""
        process.arguments = ["-c", trap + #"exec "$0" batch "$@""#, Shcverify.path] + arguments
        process.standardInput = input
        process.standardError = errors ?? FileHandle.nullDevice
        if let file {
            let descriptor = open(file.path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
            process.standardOutput = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        } else {
            process.standardOutput = output
        }
        // A shell ignores these signals for background processes, and the run would inherit that.
        for number in [SIGINT, SIGTERM] { _ = Glibc.signal(number, SIG_DFL) }
        try process.run()
        if file == nil { try output.fileHandleForWriting.close() }
        try input.fileHandleForReading.close()
        try errors?.fileHandleForWriting.close()
    }

    /// The peak memory of the process in KiB; 0 if it is not known.
    var peakMemory: Int {
        let status = (try? String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
    }

    /// Waits for up to half an hour until the process has written to the pipe.
    ///
    /// - Returns: whether it has written anything.
    func waitForOutput() -> Bool {
        var end = pollfd(fd: output.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
        return poll(&end, 1, 1_800_000) == 1
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

    /// Waits for the end of the process.
    ///
    /// - Returns: the exit code, or the negative number of the signal that ended the process.
    func wait() -> Int32 {
        process.waitUntilExit()
        return process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
    }
}
