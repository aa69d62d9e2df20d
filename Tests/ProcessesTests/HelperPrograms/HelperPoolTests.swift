import Foundation
import Testing

@testable import Processes

/// A pool of helpers in a process without a fork server, as in a library. `ManyPicturesTests` has pools with one.
@Suite(.timeLimit(.minutes(30))) struct HelperPoolTests {
    /// Runs a script some times, several at once.
    private func run(
        _ script: String, times: Int, most: Int = 2, within time: Duration = .seconds(600)
    ) async throws -> [HelperProcess.Ending] {
        let directory = FileManager.default.temporaryDirectory.appending(path: "pool-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let file = directory.appending(path: "helper")
        try Data("#!/bin/sh\n\(script)\n".utf8).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
        let pool = HelperPool(executable: file.path, environment: [:], most: most)
        return await withTaskGroup(of: (Int, HelperProcess.Ending).self) { group in
            for number in 0..<times {
                group.addTask {
                    (number, await pool.run(input: Array("run \(number)".utf8), outputLimit: 100, within: time))
                }
            }
            var endings: [Int: HelperProcess.Ending] = [:]
            for await (number, ending) in group { endings[number] = ending }
            return (0..<times).compactMap { endings[$0] }
        }
    }

    private func text(_ ending: HelperProcess.Ending) -> String {
        guard case .ended(let output, .exited(0)) = ending else { return "\(ending)" }
        return String(decoding: output, as: UTF8.self)
    }

    @Test func theProgramIsStartedForEachRun() async throws {
        let endings = try await run("[ $# = 0 ] && exec cat", times: 6)
        #expect(endings.map(text) == (0..<6).map { "run \($0)" })
    }

    @Test func aProgramThatHangsCostsTheTimeOfTheRun() async throws {
        let endings = try await run(
            #"read -r run; [ "$run" = "run 1" ] && exec sleep 600; echo "$run""#, times: 2, most: 1,
            within: .seconds(2))
        #expect(text(endings[0]) == "run 0\n")
        let isHung = if case .outOfTime = endings[1] { true } else { false }
        #expect(isHung, "\(endings[1])")
    }
}
