import Foundation
import StrictJSON
import TestSupport
import Testing

/// Many pictures and PDF documents in one run: several are searched at once, by copies of one process.
@Suite(.enabled(if: ScannerProducts.areBuilt, "needs make scanner"), .timeLimit(.minutes(10)))
struct ManyPicturesTests {
    /// A verdict: the name of the card, and the reason or `pass`.
    private struct Line: Equatable, CustomStringConvertible {
        let source: String
        let reason: String

        init(_ card: JSONValue) {
            source = card["source"]?.words ?? ""
            reason = card.at("/reason/code")?.words ?? card["verdict"]?.words ?? ""
        }

        var description: String { "\(source): \(reason)" }
    }

    private static func verdicts(_ paths: [String]) async throws -> [Line] {
        let result = try await PictureTests.run(paths + ["--format", "json"])
        let document = try JSONDocument.parse(Array(result.stdout.utf8))
        return lines(of: document)
    }

    private static func lines(of document: JSONValue) -> [Line] {
        (document["cards"]?.elements.map { Array($0) } ?? []).map { Line($0) }
    }

    /// All committed pictures but the parts of one card, which belong together.
    private static let names = [
        "attached-forged-picture.pdf", "attached-page.pdf", "card-and-forged-jws.png", "card-animated.gif",
        "card-password.pdf", "card.bmp", "card.heic", "card.jpg", "card.pdf", "card.png", "card.svg", "card.tiff",
        "card.webp", "chunks.png", "forged-frame.webp", "forged.png", "malformed.png", "nothing.png", "photo.jpg",
        "screenshot.png", "two-cards.png", "two-pictures.heic", "website.png",
    ]

    private static func batch(_ lines: String, _ options: [String] = []) async throws -> Shcverify.Result {
        try await PictureTests.run(["batch", "--pictures"] + options, stdin: Array(lines.utf8))
    }

    @Test func eachHasTheVerdictsThatItHasAlone() async throws {
        let paths = Self.names.map(PictureTests.picture)
        var alone: [[Line]] = []
        for path in paths { alone.append(try await Self.verdicts([path])) }
        #expect(try await Self.verdicts(paths) == alone.flatMap(\.self))
        let result = try await Self.batch(paths.joined(separator: "\n"))
        let lines = try BatchTests.lines(result.stdout)
        #expect(lines.map { Line($0) } == alone.flatMap(\.self))
        let numbers = alone.enumerated().flatMap { number, cards in cards.map { _ in Int64(number + 1) } }
        #expect(lines.map { $0["line"]?.number?.integer } == numbers)
        for line in lines { #expect(line["places"] == nil && line["schemaVersion"] != nil) }
        // The first that did not verify is the forged picture in the first document.
        #expect(result.exitCode == 11)
        #expect(result.stderr.contains("\(lines.count) cards: "))
    }

    @Test func partsOfACardComeFromSeveralPictures() async throws {
        let parts = ["chunk-3.png", "nothing.png", "chunk-1.png", "chunk-2.png"].map(PictureTests.picture)
        let verdicts = try await Self.verdicts(parts)
        #expect(verdicts.map(\.reason) == ["pass", "no-code-found"])
        // In a batch, each picture is judged alone.
        let result = try await Self.batch(parts.joined(separator: "\n"), ["--fields", "line,reason"])
        let codes = try BatchTests.lines(result.stdout).map { $0.at("/reason/code")?.words }
        #expect(codes == ["qr-chunk-missing", "no-code-found", "qr-chunk-missing", "qr-chunk-missing"])
    }

    /// More than the copies that one process makes.
    @Test func aProcessThatMadeItsCopiesIsReplaced() async throws {
        let path = PictureTests.picture("card.bmp")
        let result = try await PictureTests.run([String](repeating: path, count: 230) + ["--format", "json"])
        #expect(result.exitCode == 0)
        let cards = Self.lines(of: try JSONDocument.parse(Array(result.stdout.utf8)))
        #expect(cards.map(\.source) == (0..<230).map { "\(path)#\($0)" })
    }

    @Test func linesThatAreNoPictureHaveAVerdict() async throws {
        let card = PictureTests.picture("card.png")
        let lines = "\(card)\r\n\n/nowhere/picture.png\n-\n\(Paths.vector("cards/inputs/jws.jws"))\n\(card)\0.png\n"
        let result = try await Self.batch(lines)
        let verdicts = try BatchTests.lines(result.stdout)
        #expect(
            verdicts.map { Line($0).reason } == [
                "pass", "empty-input", "unreadable-input", "unreadable-input", "pass", "unreadable-input",
            ])
        #expect(verdicts.map { $0["line"]?.number?.integer } == [1, 2, 3, 4, 5, 6])
        #expect(result.exitCode == 27)
        // A file that cannot be read cannot be read as a card.
        let unread = try await Self.batch("/nowhere/picture.png\n", ["--fail-on", "malformed", "--quiet"])
        #expect(unread.exitCode == 66 && unread.stdout.isEmpty)
        let forged = PictureTests.picture("forged.png")
        #expect(try await Self.batch(forged, ["--fail-on", "malformed", "--quiet"]).exitCode == 0)
    }

    /// A pipe in a list would stop the run until somebody writes to it. A line that is a card is named by its number, and not repeated.
    @Test func linesThatAreNoFileStopNothing() async throws {
        let directory = try TemporaryDirectory()
        let pipe = directory.url.appendingPathComponent("pipe").path
        #expect(mkfifo(pipe, 0o600) == 0)
        let card = try BatchTests.card.filter { !$0.isWhitespace }
        let lines = [
            PictureTests.picture("card.bmp"), pipe, card, #"{"card":"photo.jpg"}"#, PictureTests.picture("card.bmp"),
        ]
        let result = try await Self.batch(lines.joined(separator: "\n"))
        let found = try BatchTests.lines(result.stdout)
        #expect(
            found.map { Line($0).reason }
                == ["pass", "unreadable-input", "unreadable-input", "unreadable-input", "pass"], "\(result.stdout)")
        #expect(found.map { $0["source"]?.words }[1...3] == [pipe, "line 3", "line 4"])
        #expect(!result.stdout.contains(card))
    }

    /// Neither does a device, to which an unpacked archive may hold a link, or a file of the kernel that never has anything.
    @Test func devicesStopNothing() async throws {
        let directory = try TemporaryDirectory()
        let link = directory.url.appendingPathComponent("photo.jpg").path
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "/dev/ptmx")
        let devices = ["/dev/ptmx", link, "/dev/zero", "/dev/null", "/dev/tty", "/dev/kmsg", "/proc/kmsg"]
        let picture = PictureTests.picture("card.bmp")
        let result = try await Self.batch((devices + [picture]).joined(separator: "\n"))
        let found = try BatchTests.lines(result.stdout)
        #expect(
            found.map { Line($0).reason } == devices.map { _ in "unreadable-input" } + ["pass"], "\(result.stdout)")
        #expect(found[1].compact.contains("it is a device; a file is needed"), "\(found[1].compact)")
    }

    @Test func relativePathsBeginAtTheWorkingDirectory() async throws {
        try await Paths.withTemporaryDirectory { directory in
            let source = URL(fileURLWithPath: PictureTests.picture("card.png"))
            try FileManager.default.copyItem(at: source, to: directory.appendingPathComponent("a card.png"))
            let command = ["-c", #"cd "$0" && exec "$@""#, directory.path, Shcverify.path, "batch", "--pictures"]
            let result = try await Shcverify.run(
                command + PictureTests.keys, stdin: Array("a card.png".utf8), executable: "/bin/sh")
            #expect(try BatchTests.lines(result.stdout).map { Line($0).description } == ["a card.png#0: pass"])
        }
    }

    @Test func aRunIsContinuedAfterTheLastLineWithAllItsVerdicts() async throws {
        try await Paths.withTemporaryDirectory { directory in
            let (list, state) = (directory.appendingPathComponent("list"), directory.appendingPathComponent("state"))
            let output = directory.appendingPathComponent("output")
            let paths = ["two-cards.png", "card.png", "two-cards.png"].map(PictureTests.picture)
            try Data((paths[0] + "\n").utf8).write(to: list)
            let arguments = [list.path, "--pictures", "--resume", state.path] + PictureTests.keys
            #expect(try BatchProcess(arguments, appendingTo: output).wait() == 0)
            let first = try Paths.bytes(output.path)
            // A run that was killed had written more than its state says.
            let handle = try FileHandle(forWritingTo: output)
            try handle.seekToEnd()
            try handle.write(contentsOf: Data(#"{"line":2,"source":"a"}\#n{"line":2,"source":"b"}\#n{"line":2"#.utf8))
            try handle.close()
            try Data(paths.joined(separator: "\n").utf8).write(to: list)
            #expect(try BatchProcess(arguments, appendingTo: output).wait() == 0)
            let all = try Paths.bytes(output.path)
            #expect(all.starts(with: first))
            let numbers = try BatchTests.lines(String(decoding: all, as: UTF8.self)).map { $0["line"]?.number?.integer }
            #expect(numbers == [1, 1, 2, 3, 3])
            let asCards = try await Shcverify.run(["batch", list.path, "--resume", state.path] + PictureTests.keys)
            #expect(asCards.exitCode == 64 && asCards.stderr.contains("--pictures"))
        }
    }

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
            #expect(
                verdicts.map { Line($0).reason } == ["pass", "pass", "picture-unreadable", "pass", "pass", "pass"])
            #expect(verdicts[2].at("/reason/message")?.words?.contains("ended before it had read the file") == true)
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
