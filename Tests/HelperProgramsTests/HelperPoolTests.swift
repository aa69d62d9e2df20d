import Foundation
import Testing

@testable import HelperPrograms

/// A pool of helpers, with scripts that are no templates. `ManyPicturesTests` has a real one.
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

    /// Such as an older helper, or one that cannot start. Then what is wrong with it is found in the run itself.
    @Test(arguments: [
        #"[ "$1" = template ] && exit 1"#, #"[ "$1" = template ] && kill -SEGV $$"#,
        // Four bytes on the socket, which could be the number of any process.
        #"[ "$1" = template ] && printf '\001\000\000\000' >&0 && exit"#,
    ])
    func aProgramThatIsNoTemplateIsStartedForEachRun(script: String) async throws {
        let endings = try await run("\(script)\nexec cat", times: 6)
        #expect(endings.map(text) == (0..<6).map { "run \($0)" })
    }

    @Test func aTemplateThatHangsCostsTheTimeOfTheRun() async throws {
        let endings = try await run(
            #"[ "$1" = template ] && exec sleep 600; exec cat"#, times: 2, most: 1, within: .seconds(2))
        #expect(text(endings[0]) == "run 0" || text(endings[1]) == "run 1")
        let hung = endings.count {
            if case .outOfTime = $0 { true } else { false }
        }
        #expect(hung == 1)
    }
}
