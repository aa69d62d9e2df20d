import Foundation
import StrictJSON
import TestSupport
import Testing

/// `lint --lines`: many inputs in one file.
@Suite(.timeLimit(.minutes(15))) struct LintLinesTests {
    private static let options = [
        "--offline", "--at", "2026-06-01T00:00:00Z", "--jwks", Paths.vector("keys/issuer-a.jwks.json"),
    ]

    /// Inputs of lint that are one line: cards, payloads, Bundles, key sets and what is none of them.
    private static func inputs() throws -> [[UInt8]] {
        let files = try #require(
            FileManager.default.enumerator(atPath: Paths.vector("lint"))?.compactMap { $0 as? String })
        let names = files.sorted().filter {
            !$0.hasPrefix("shlink-") && ($0.hasSuffix(".json") || $0.hasSuffix(".txt"))
        }
        return try names.compactMap { file in
            let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: Paths.vector("lint/\(file)"))))
            // An object with a card is an envelope.
            let isLine = !bytes.isEmpty && bytes.count < 100_000 && !bytes.contains(0x0A) && !bytes.contains(0x0D)
            return isLine && !bytes.starts(with: #"{"card""#.utf8) ? bytes : nil
        }
    }

    private static func findings(_ lines: some Sequence<Substring>) throws -> [(line: Int?, words: String)] {
        try lines.map { line in
            let object = try JSONDocument.parse(Array(line.utf8))
            return (
                object["line"]?.number?.integer.map(Int.init),
                "\(object["rule"]?.words ?? "") \(object["path"]?.words ?? "") \(object["message"]?.words ?? "") "
                    + "\(object["severity"]?.words ?? "")"
            )
        }
    }

    /// Each line has the findings that `lint` has for it alone, whatever the lines around it are.
    @Test func eachLineIsLintedAsAnInputOfItsOwn() async throws {
        let inputs = try Self.inputs()
        #expect(inputs.count > 300)
        let directory = try TemporaryDirectory()
        let file = directory.url.appendingPathComponent("lines")
        try Data(inputs.joined(separator: [0x0A])).write(to: file)
        let all = try await Shcverify.run(["lint", "--lines", file.path] + Self.options)
        #expect(all.exitCode == 10)
        #expect(all.stderr.hasPrefix("shcverify: \(inputs.count) lines: "))
        let found = try Self.findings(all.stdout.split(separator: "\n"))
        #expect(found.map { $0.line ?? 0 } == found.map { $0.line ?? 0 }.sorted())
        for number in stride(from: 1, through: inputs.count, by: 23) {
            let alone = try await Shcverify.run(
                ["lint", "-", "--format", "json"] + Self.options, stdin: inputs[number - 1])
            let document = try JSONDocument.parse(Array(alone.stdout.utf8))
            let words = document["findings"]?.elements?.map { finding in
                "\(finding["rule"]?.words ?? "") \(finding["path"]?.words ?? "") \(finding["message"]?.words ?? "") "
                    + "\(finding["severity"]?.words ?? "")"
            }
            let ofLine = found.filter { $0.line == number }
                .map { $0.words.replacing("lint --lines opens no links", with: "--offline forbids it") }
            #expect(ofLine == words, "line \(number)")
        }
    }

    /// Signatures of a group of lines are verified together, with tables once a key had many. A forged one is found all the same, wherever
    /// it stands, and the findings are those of OpenSSL alone.
    @Test func forgedSignaturesAreFoundInEachGroup() async throws {
        let card = try BatchTests.card.filter { !$0.isWhitespace }
        // A character of r, so that both numbers are still in range.
        let place = card.index(card.endIndex, offsetBy: -60)
        let forged =
            String(card[..<place]) + (card[place] == "x" ? "y" as String : "x") + card[card.index(after: place)...]
        // No key has made the card's signature under another header.
        let other = card.replacing(card.prefix { $0 != "." }, with: card.prefix { $0 != "." } + "IA")
        let lines = (1...1_700).map { $0.isMultiple(of: 9) ? forged : $0.isMultiple(of: 50) ? other : card }
        let directory = try TemporaryDirectory()
        let file = try directory.write(lines.joined(separator: "\n"), to: "lines")
        let found = try await Shcverify.run(["lint", "--lines", file] + Self.options)
        let wrong = Set(
            try Self.findings(found.stdout.split(separator: "\n"))
                .filter { $0.words.contains("jws-verification-error") }.compactMap(\.line))
        #expect(wrong.isSuperset(of: stride(from: 9, through: 1_700, by: 9)))
        #expect(wrong.allSatisfy { lines[$0 - 1] != card })
        let alone = try await Shcverify.run(["lint", "--lines", file, "--no-precompute"] + Self.options)
        #expect(alone.stdout == found.stdout)
        let ungrouped = try await Shcverify.run(
            ["lint", "--no-precompute", "-"] + Self.options, stdin: Array(card.utf8))
        #expect(ungrouped.exitCode == 64)
    }

    @Test func identifiersAreEchoedAndFilesOfOptionsComeFirst() async throws {
        let card = String(
            decoding: try Data(contentsOf: URL(fileURLWithPath: Paths.vector("cards/signature/der.jws"))), as: UTF8.self
        )
        let keys = Paths.vector("lint/invalid-key-private/private/d.json")
        let lines = "{\"id\":{\"a\":6.30},\"card\":\"\(card)\"}\r\nx\n\n"
        let result = try await Shcverify.run(
            ["lint", "--lines", "-", "--offline", "--at", "2026-06-01T00:00:00Z", "--jwks", keys, "--jobs", "1"],
            stdin: Array(lines.utf8))
        #expect(result.exitCode == 10)
        let found = result.stdout.split(separator: "\n")
        #expect(found.first?.hasPrefix(#"{"line":null,"code":"invalid-key-private""#) == true)
        #expect(found.contains { $0.hasPrefix(#"{"line":1,"id":{"a":6.30},"code":"signature-format-error""#) })
        #expect(found.contains { $0.hasPrefix(#"{"line":2,"code":"unknown-file-data""#) })
        #expect(found.contains { $0.hasPrefix(#"{"line":3,"code":"unknown-file-data""#) })
        #expect(result.stderr.contains("shcverify: 2 error unknown-file-data/unrecognised (line 2, 3)\n"))
    }

    @Test func quietAndWarningsAndWrongOptions() async throws {
        let card = Paths.vector("cards/inputs/jws.jws")
        let clean = try await Shcverify.run(["lint", "--lines", card, "--quiet"] + Self.options)
        #expect(clean.exitCode == 0)
        #expect(clean.stdout.isEmpty)
        #expect(clean.stderr.hasPrefix("shcverify: 1 line: 1 without findings that fail, 0 with such findings; "))
        let empty = try await Shcverify.run(["lint", "--lines", "-"] + Self.options)
        #expect(empty.exitCode == 27)
        #expect(try await Shcverify.run(["lint", "--lines", "/nowhere"] + Self.options).exitCode == 66)
        for arguments in [
            ["--lines", card, card], ["--lines", card, "--format", "github"], ["--jobs", "2", card],
            ["--lines", card, "--jobs", "0"], ["--lines", card, "--issuer", "https://issuer-a.example/cards"],
        ] {
            #expect(try await Shcverify.run(["lint"] + arguments + Self.options).exitCode == 64, "\(arguments)")
        }
    }

    /// A report that is written at the end has the findings of the first lines, and says how many it leaves out.
    @Test func reportsAtTheEndAreBounded() async throws {
        let lines = String(repeating: "x\n", count: 10_050)
        let run = { (format: String) in
            try await Shcverify.run(
                ["lint", "--lines", "-", "--format", format] + Self.options, stdin: Array(lines.utf8))
        }
        let sarif = try await run("sarif")
        #expect(sarif.exitCode == 10)
        #expect(sarif.stderr.contains("shcverify: the report has 10000 findings, and leaves out 50 of later lines"))
        let log = try JSONDocument.parse(Array(sarif.stdout.utf8))
        #expect(SARIFLog(log).problems.isEmpty)
        let results = try #require(log.at("/runs/0/results")?.elements)
        let found = results.map { $0.at("/locations/0/physicalLocation/region/startLine")?.number?.integer }
        #expect(found == (1...10_000).map { Int64($0) })
        let junit = try await run("junit")
        #expect(junit.exitCode == 10)
        #expect(junit.stdout.contains("error: stdin, line 10000, column 1: "))
        #expect(!junit.stdout.contains("line 10001"))
        #expect(junit.stdout.contains(#"<property name="findings left out" value="50"/>"#))
        #expect(
            log.at("/runs/0/invocations/0/toolExecutionNotifications/0/message/text")?.words
                == "50 findings are left out of this report")
    }

    /// With a baseline, only new findings count: in lines that moved, and in inputs of their own.
    @Test func baselineLeavesOutWhatIsKnown() async throws {
        let directory = try TemporaryDirectory()
        let card = try String(
            decoding: Data(contentsOf: URL(fileURLWithPath: Paths.vector("cards/signature/der.jws"))), as: UTF8.self)
        let before = [#"{"id":1,"card":"\#(card)"}"#, "y"]
        let first = try await Shcverify.run(
            ["lint", "--lines", "-"] + Self.options, stdin: Array(before.joined(separator: "\n").utf8))
        #expect(first.exitCode == 10)
        let known = try directory.write(first.stdout, to: "known.ndjson")
        let compare = { (lines: [String]) in
            try await Shcverify.run(
                ["lint", "--lines", "-", "--baseline", known] + Self.options,
                stdin: Array(lines.joined(separator: "\n").utf8))
        }
        let same = try await compare(["y", before[0]])
        #expect(same.exitCode == 0, "\(same.stdout)")
        #expect(same.stdout.isEmpty)
        #expect(same.stderr.contains("known findings left out (--baseline)"))
        let more = try await compare(["z"] + before + [before[0].replacing(#""id":1"#, with: #""id":2"#)])
        #expect(more.exitCode == 10)
        let lines = try Self.findings(more.stdout.split(separator: "\n")).map { $0.line ?? 0 }
        #expect(Set(lines) == [1, 4])

        // Another card in the same place has findings of its own.
        let other = try String(
            decoding: Data(contentsOf: URL(fileURLWithPath: Paths.vector("cards/signature/bit-of-r.jws"))),
            as: UTF8.self)
        let place = try directory.write(other, to: "place.jws")
        let forged = try await Shcverify.run(["lint", place, "--format", "json"] + Self.options)
        let knownForged = try directory.write(forged.stdout, to: "forged.json")
        #expect(try await Shcverify.run(["lint", place, "--baseline", knownForged] + Self.options).exitCode == 0)
        try directory.write(
            String(
                decoding: Data(contentsOf: URL(fileURLWithPath: Paths.vector("cards/signature/last-bit.jws"))),
                as: UTF8.self), to: "place.jws")
        #expect(try await Shcverify.run(["lint", place, "--baseline", knownForged] + Self.options).exitCode == 10)

        let file = try directory.write(card, to: "card.jws")
        let report = try await Shcverify.run(["lint", file, "--format", "json"] + Self.options)
        let earlier = try directory.write(report.stdout, to: "earlier.json")
        let again = try await Shcverify.run(["lint", file, "--baseline", earlier] + Self.options)
        #expect(again.exitCode == 0)
        #expect(again.stdout.hasPrefix("No new departures found in 1 input; 1 known finding left out (--baseline)"))
        // The same fingerprints are in a report for code scanning.
        let scan = try await Shcverify.run(["lint", file, "--format", "sarif"] + Self.options)
        let log = try directory.write(scan.stdout, to: "earlier.sarif")
        let known2 = try await Shcverify.run(["lint", file, "--baseline", log] + Self.options)
        #expect(known2.exitCode == 0 && known2.stdout == again.stdout)
        for text in [
            #"{"version":"2.1.0","runs":[]}"#, #"{"runs":[{"results":[{"message":{"text":"another tool"}}]}]}"#,
            #"{"runs":[{"tool":{}}]}"#,
        ] {
            let other = try directory.write(text, to: "other.sarif")
            #expect(try await Shcverify.run(["lint", file, "--baseline", other] + Self.options).exitCode == 64)
        }
        let empty = try directory.write("", to: "empty")
        #expect(try await Shcverify.run(["lint", file, "--baseline", empty] + Self.options).exitCode == 10)
        for (path, exitCode) in [("/nowhere", 66), (file, 64), ("-", 64), ("/dev/zero", 64)] as [(String, Int32)] {
            let result = try await Shcverify.run(["lint", file, "--baseline", path] + Self.options)
            #expect(result.exitCode == exitCode, "\(path)")
        }
    }
}
