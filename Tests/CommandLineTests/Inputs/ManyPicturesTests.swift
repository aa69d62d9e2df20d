import Encodings
import Foundation
import TestSupport
import Testing

/// Many pictures in one run, which copies of one process search.
@Suite(.enabled(if: ScannerProducts.areBuilt, "needs make scanner"), .timeLimit(.minutes(30)))
struct ManyPicturesTests {
    /// A picture that crashes its process costs one verdict.
    @Test func aProcessThatIsKilledCostsOneVerdict() async throws {
        try await Paths.withTemporaryDirectory { directory in
            let noise = directory.appendingPathComponent("noise.bmp")
            try Data(Self.noise(side: 1400)).write(to: noise)
            let card = PictureTests.picture("card.png")
            let lines = [card, card, noise.path, card, card, card].map { $0 + "\n" }.joined()
            let run = try BatchProcess(["--pictures", "--jobs", "2"] + PictureTests.keys)
            try run.input.fileHandleForWriting.write(contentsOf: Data(lines.utf8))
            let id = run.process.processIdentifier
            // Only the search of the noise takes so long.
            var helper: pid_t?
            while helper == nil, run.process.isRunning {
                helper = Self.children(of: id).first { $0.ticks >= 60 }?.id
                usleep(5000)
            }
            kill(try #require(helper), SIGKILL)
            try run.input.fileHandleForWriting.close()
            let output = try run.output.fileHandleForReading.readToEnd() ?? Data()
            #expect(run.wait() == 27)
            let verdicts = try BatchTests.lines(String(decoding: output, as: UTF8.self))
            let reasons = verdicts.map { $0.at("/reason/code")?.words ?? $0["verdict"]?.words }
            #expect(reasons == ["pass", "pass", "picture-unreadable", "pass", "pass", "pass"])
            #expect(verdicts[2].at("/reason/message")?.words?.contains("ended before it had read the file") == true)
        }
    }

    /// Such as an older scanner, or one that cannot start. Then what is wrong with it is found when it reads a picture.
    @Test(arguments: [
        "exit 1", "kill -SEGV $$",
        // Four bytes on the socket, which could be the number of any process.
        #"printf '\001\000\000\000' >&0; exit"#,
        // It does not answer, which costs time and no verdict.
        "exec sleep 600",
    ])
    func aScannerThatIsNoZygoteIsStartedForEachPicture(zygote: String) async throws {
        try await Paths.withTemporaryDirectory { directory in
            let program = directory.appendingPathComponent("shcverify").path
            try FileManager.default.copyItem(atPath: Shcverify.path, toPath: program)
            let scanner = directory.appendingPathComponent("shcverify-scan")
            let tried = directory.appendingPathComponent("tried").path
            let script = """
                #!/bin/sh
                [ "$1" = zygote ] && { : > '\(tried)'; \(zygote); }
                exec '\(BuiltProduct.program("shcverify-scan"))'

                """
            try Data(script.utf8).write(to: scanner)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: scanner.path)
            let pictures = [String](repeating: PictureTests.picture("card.png"), count: 4)
            let result = try await Shcverify.run(
                ["verify"] + pictures + PictureTests.keys + ["--quiet"], executable: program)
            #expect(result.exitCode == 0, "\(result.stderr)")
            #expect(FileManager.default.fileExists(atPath: tried))
        }
    }

    /// A bitmap of noise.
    private static func noise(side: Int) -> [UInt8] {
        let number = { (value: Int) in (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) } }
        var bytes = Array("BM".utf8) + number(54 + 3 * side * side) + number(0) + number(54) + number(40)
        bytes +=
            number(side) + number(side) + [1, 0, 24, 0] + number(0) + number(0) + number(0) + number(0) + number(0)
        bytes += number(0)
        var state: UInt32 = 1
        for _ in 0..<3 * side * side {
            state = state &* 1_664_525 &+ 1_013_904_223
            bytes.append(UInt8(truncatingIfNeeded: state >> 24))
        }
        return bytes
    }

    /// The children of a process, with the processor time that they have used (proc(5)).
    private static func children(of parent: pid_t) -> [(id: pid_t, ticks: Int)] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap { name in
            guard let id = pid_t(name), let status = try? String(contentsOfFile: "/proc/\(name)/stat", encoding: .utf8),
                let end = status.lastIndex(of: ")")
            else { return nil }
            let words = status[end...].split(separator: " ")
            guard words.count > 12, pid_t(words[2]) == parent, let ticks = Int(words[12]) else { return nil }
            return (id, ticks)
        }
    }
}
