import Foundation
import Testing

/// Random and broken input ends with a documented exit code.
@Suite(.timeLimit(.minutes(10))) struct BadInputTests {
    @Test func stopsReadingEndlessInput() async throws {
        let result = try await Shcverify.run(["/dev/zero", "--offline"])
        #expect(result.exitCode == 10)
        #expect(result.stderr.contains("malformed-input"))
    }

    @Test func fileOfAHundredMegabytesIsRefused() async throws {
        try await Paths.withTemporaryDirectory { directory in
            let file = directory.appendingPathComponent("large")
            #expect(FileManager.default.createFile(atPath: file.path, contents: Data("eyJ".utf8)))
            let handle = try FileHandle(forWritingTo: file)
            try handle.truncate(atOffset: 100 << 20)
            try handle.close()
            let result = try await Shcverify.run([file.path, "--offline"])
            #expect(result.exitCode == 10)
        }
    }

    @Test func directoryCannotBeRead() async throws {
        let result = try await Shcverify.run([Paths.vectors.path, "--offline"])
        #expect(result.exitCode == 66)
    }

    @Test(arguments: [0, 1, 2, 3, 4, 5, 6, 7]) func randomBytesHoldNoCard(_ seed: UInt64) async throws {
        var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
        let bytes = (0..<4096).map { _ -> UInt8 in
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return UInt8(truncatingIfNeeded: state >> 32)
        }
        let result = try await Shcverify.run(["-", "--offline"], stdin: bytes)
        #expect(result.exitCode == 10)
        #expect(result.errorLines.count == 1)
    }

    @Test func escapeSequencesInACardDoNotReachTheTerminal() async throws {
        let hostile = Array(#"{"verifiableCredential":["\u001b[2J\u009b31m\u202e\n evil"], "\u001b":1}"#.utf8)
        for arguments in [["-", "--offline"], ["inspect", "-"]] {
            let result = try await Shcverify.run(arguments, stdin: hostile)
            #expect(result.exitCode == 10)
            for output in [result.stdout, result.stderr] {
                #expect(!output.unicodeScalars.contains { "\u{1B}\u{9B}\u{202E}".unicodeScalars.contains($0) })
            }
            #expect(result.errorLines.count == 1)
        }
    }
}

/// Inputs that cost far more time than their length suggests.
@Suite(.timeLimit(.minutes(10))) struct ExpensiveInputTests {
    private static let size = 4 << 20

    static let inputs: [(String, String, String)] = [
        ("numbers in place of cards", #"{"verifiableCredential":["#, "1,"),
        ("cards that are none", #"{"verifiableCredential":["#, #""a.b.c","#), ("lines of no QR code", "", "shc:/1\n"),
        ("parts of a card", "", "shc:/1/1000/56\nshc:/2/1000/56\n"), ("one long line of digits", "shc:/", "55"),
        ("nesting", #"{"a":"#, "["), ("dots", "eyJ", "."), ("a deep link", "https://app.example/#", "%7B"),
        ("parameters", #"{"resourceType":"Parameters","parameter":["#, #"{"name":"verifiableCredential"},"#),
    ]

    @Test(arguments: inputs) func endsSoonWithADocumentedExitCode(_ name: String, start: String, repeated: String)
        async throws
    {
        let count = (Self.size - start.utf8.count) / repeated.utf8.count
        let input = Array((start + String(repeating: repeated, count: count)).utf8)
        for command in [["verify", "-", "--offline"], ["inspect", "-", "--format", "json"]] {
            let result = try await Shcverify.run(command, stdin: input)
            #expect(result.exitCode == 10)
            #expect(result.errorLines.count <= 10_000)
        }
    }

    /// A delivery of many files, which a gate hands on as "$@".
    @Test(arguments: [["-q"], ["lint", "-q"], ["inspect"], ["records"]])
    func manyFilesEndSoon(_ command: [String]) async throws {
        let files = (0..<40_000).map { "n\($0)" }
        let script = #"exec "$0" "$@" 2> /dev/null"#
        let result = try await Shcverify.run(
            ["-c", script, Shcverify.path] + command + files, executable: "/bin/sh")
        #expect(result.exitCode == 66)
    }

    @Test func manyValuesEndSoon() async throws {
        let card = ["--offline", OutputTests.card]
        let count = 20_000
        func repeated(_ option: String, _ value: (Int) -> String) -> [String] {
            (0..<count).flatMap { [option, value($0)] }
        }
        let key = Paths.vector("keys/issuer-a.jwks.json")
        for (arguments, code) in [
            (repeated("--trust") { "https://i\($0).example" } + card, 13), (repeated("--crl") { "n\($0)" } + card, 66),
            (repeated("--codes") { "n\($0)" } + card, 66), (repeated("--anchor") { "n\($0)" } + card, 66),
            (repeated("--record-type") { _ in "Immunization" } + card, 20),
            (repeated("--link-origin") { "https://i\($0).example" } + card, 64),
            (["records"] + repeated("--identifier") { "i\($0)" } + OutputTests.keys + [OutputTests.card], 0),
            (["lint"] + repeated("--exclude") { _ in "*" } + ["--list"], 0),
            (repeated("--jwks") { _ in key } + OutputTests.keys + [OutputTests.card], 0),
        ] as [([String], Int32)] {
            let result = try await Shcverify.run(arguments)
            #expect(result.exitCode == code, "\(arguments.prefix(3)): \(result.stderr.prefix(300))")
        }
    }
}
