import Foundation
import StrictJSON
import TestSupport
import Testing

/// `batch`: one card per line in, one verdict per line out.
@Suite(.timeLimit(.minutes(BuiltProduct.hasShadowMemory ? 15 : 5))) struct BatchTests {
    static let options = [
        "--offline", "--jwks", Paths.vector("keys/issuer-a.jwks.json"), "--at", "2026-06-01T00:00:00Z",
    ]
    static var card: String {
        get throws { String(decoding: try Paths.bytes(Paths.vector("cards/inputs/jws.jws")), as: UTF8.self) }
    }

    static func lines(_ text: String) throws -> [JSONValue] {
        try text.utf8.split(separator: 0x0A).map { try JSONDocument.parse(Array($0)) }
    }

    private func run(_ input: [UInt8], _ arguments: [String] = []) async throws -> (Shcverify.Result, [JSONValue]) {
        let result = try await Shcverify.run(["batch"] + arguments + Self.options, stdin: input)
        return (result, try Self.lines(result.stdout))
    }

    private func reasons(_ lines: [JSONValue]) -> [String] {
        lines.map { $0.at("/reason/code")?.words ?? $0["verdict"]?.words ?? "" }
    }

    // MARK: Agreement with verify

    /// A vector that is one line, with its text.
    private static func line(of vector: Vector) -> [UInt8]? {
        guard vector.mode == "verify", vector.files.count == 1, ["paths", "qr", "stdin"].contains(vector.feed),
            !vector.exitCodes.contains(where: { $0 >= 64 }), let bytes = try? Paths.bytes(vector.files[0])
        else { return nil }
        var text = bytes[...]
        while let last = text.last, [0x0A, 0x0D].contains(last) { text = text.dropLast() }
        while let first = text.first, [0x0A, 0x0D].contains(first) { text = text.dropFirst() }
        let begin = text.starts(with: [0xEF, 0xBB, 0xBF]) ? text.dropFirst(3) : text
        let isCard = ["eyJ", "shc:", "SHC:"].contains { begin.starts(with: $0.utf8) }
        return isCard && !text.contains(0x0A) && !text.contains(0x0D) ? Array(text) : nil
    }

    /// With crypto_mb, if it is installed or SHCVERIFY_TEST_LANES names it; with tables alone; and with neither.
    @Test(arguments: [([], [:]), ([], ["SHCVERIFY_TEST_LANES": "/nowhere"]), (["--no-precompute"], [:])])
    func agreesWithVerify(_ options: [String], _ environment: [String: String]) async throws {
        let all = VectorTests.vectors.compactMap { vector in Self.line(of: vector).map { (vector, $0) } }
        #expect(all.count > 500)
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            for (arguments, group) in Dictionary(grouping: all, by: \.0.arguments) {
                tasks.addTask { try await expectAgreement(of: group, arguments + options, environment) }
            }
            try await tasks.waitForAll()
        }
    }

    private func expectAgreement(
        of group: [(Vector, [UInt8])], _ arguments: [String], _ environment: [String: String]
    ) async throws {
        let input = Array(group.map(\.1).joined(separator: [0x0A]))
        let result = try await Shcverify.run(
            ["batch", "--records", "--bundle"] + arguments, stdin: input, environment: environment)
        let lines = try Self.lines(result.stdout)
        #expect(lines.count == group.count, "\(arguments) \(result.stderr)")
        for (line, (vector, _)) in zip(lines, group) {
            let passes = line["verdict"]?.words == "pass"
            #expect(vector.exitCodes.contains(0) && passes || vector.exitCodes != [0] && !passes, "\(vector.id)")
            if !passes { #expect(vector.reasons.contains(line.at("/reason/code")?.words), "\(vector.id)") }
            for (pointer, value) in vector.pointers where pointer.hasPrefix("/cards/0/") {
                guard pointer != "/cards/0/inputKind", pointer != "/cards/0/source" else { continue }
                let found = line.at(String(pointer.dropFirst("/cards/0".count)))
                #expect((found?.compact ?? "null") == value.compact, "\(vector.id) \(pointer)")
            }
        }
    }

    @Test(.enabled(if: SharedData.isPresent, "\(SharedData.absence)"))
    func agreesWithVerifyOnTheSpecificationsExamples() async throws {
        let folder = "spec-examples"
        let examples = try FileManager.default.contentsOfDirectory(atPath: SharedData.path(folder)).sorted()
            .filter { $0.hasSuffix("-d-jws.txt") || $0.contains("-f-qr-code-numeric-value") }
        let options = [
            "--offline", "--at", "2024-06-01T00:00:00Z", "--jwks", SharedData.path("\(folder)/issuer.jwks.json"),
            "--crl", SharedData.path("\(folder)/issuer.crl.json"),
        ]
        let cards = try examples.map { name in
            try Paths.bytes(SharedData.path("\(folder)/\(name)")).filter { $0 != 0x0A && $0 != 0x0D }
        }
        #expect(cards.count > 6)
        let input = Array(cards.joined(separator: [0x0A]))
        let batch = try await Shcverify.run(["batch", "--records", "--bundle"] + options, stdin: input)
        let lines = try Self.lines(batch.stdout)
        #expect(lines.count == cards.count)
        for (number, (line, card)) in zip(lines, cards).enumerated() {
            let verify = try await Shcverify.run(["-", "--format", "json"] + options, stdin: card)
            let element = try JSONDocument.parse(Array(verify.stdout.utf8)).at("/cards/0")?.compact ?? ""
            // verify calls each of them the first card of an input; batch calls it a line of one input.
            let members = element.dropFirst().dropLast().replacing("\"stdin#0\"", with: "\"stdin#\(number)\"")
            let expected = "{\"line\":\(number + 1),\(members),\"schemaVersion\":1}"
            #expect(line.compact == expected, "\(examples[number])")
        }
    }

    @Test func lineIsAnElementOfCardsWithItsNumberAndVersion() async throws {
        let card = try Self.card
        let (_, lines) = try await run(Array("\(card)\n".utf8), ["--records", "--bundle"])
        let verify = try await Shcverify.run(
            ["-", "--format", "json"] + Self.options, stdin: Array(card.utf8))
        let element = try JSONDocument.parse(Array(verify.stdout.utf8)).at("/cards/0")
        let members = (element?.compact ?? "").dropFirst().dropLast()
        #expect(lines.map(\.compact) == [#"{"line":1,\#(members),"schemaVersion":1}"#])
    }

    @Test func namesPersonsOnlyOnRequest() async throws {
        let (_, lines) = try await run(Array(try Self.card.utf8))
        for name in ["subject", "records", "relevantDate"] { #expect(lines[0][name]?.isNull == true) }
        #expect(lines[0]["fhirBundle"] == nil)
        let (result, _) = try await run(Array(try Self.card.utf8), ["--since", "2030"])
        #expect(result.exitCode == 17)
    }

    // MARK: Lines

    @Test func everyLineGetsAVerdict() async throws {
        let card = try Self.card
        let chunk = "shc:/1/3/5676"
        let input =
            "\u{FEFF}\(card)\r\n\r\n\nnonsense\0\n\0\n{\"card\":\"\(card)\"}\n{\"card\":7}\n{}\n{\n\(chunk)\n"
            + "shc:/56\rshc:/56\n{\"card\":\"{}\"}\n{\"card\":\"\(chunk)\"}\n[]\n"
            + "\"\(card)\"\n\(card)\(card)\n  \(card)\t\n\(card)"
        let bad = Array("\n\u{FF}".unicodeScalars.map { UInt8($0.value) }) + [0xC3, 0x28]
        let (result, lines) = try await run(Array(input.utf8) + bad)
        let (malformed, empty) = ("malformed-input", "empty-input")
        #expect(
            reasons(lines) == [
                "pass", empty, empty, malformed, empty, "pass", malformed, malformed, malformed,
                "qr-chunk-missing", malformed, malformed, "qr-chunk-missing", malformed, malformed, "malformed-jws",
                "pass", "pass", malformed,
            ])
        #expect(lines.compactMap { $0["line"]?.number?.integer } == Array(1...Int64(lines.count)))
        #expect(lines[3]["source"]?.words == "stdin#3")
        #expect(result.exitCode == 27)
    }

    /// Names of files are often given instead of cards. The name is not repeated, since messages are logged.
    @Test(arguments: ["Jana.png", "/tmp/Jana", "./Jana.jws", "C:\\cards\\Jana.pdf", "Jana Doe.SMART-HEALTH-CARD"])
    func nameOfAFileIsSaid(_ name: String) async throws {
        let (_, lines) = try await run(Array(name.utf8))
        #expect(reasons(lines) == ["malformed-input"])
        let message = lines[0]["reason"]?["message"]?.words ?? ""
        #expect(message.contains("name of a file") && !message.contains("Jana"))
    }

    /// A line with a card that is something else too has no card of which the verdict could be.
    @Test func lineThatIsSomethingElseTooIsMalformed() async throws {
        let card = try Self.card
        let forged = String(card.dropLast(20)) + String(repeating: "A", count: 20)
        let others = [
            #""verifiableCredential":["\#(forged)"]"#, #""VerifiableCredential":[]"#,
            #""verifiable\u0043redential":null"#,
            #""resourceType":"Parameters","parameter":[{"name":"verifiableCredential","valueString":"\#(forged)"}]"#,
            #""type":"smart-health-checkin-response","version":"1","requestId":"1","artifacts":[],"requestStatus":[]"#,
            #""protocol":"org-iso-mdoc","data":{"response":"\#(forged)"}"#,
            #""x":{"verifiableCredential":["\#(forged)"]}"#, #""x":[{"y":{"VERIFIABLECREDENTIAL":"\#(forged)"}}]"#,
            #""x":{"resourceType":"Parameters","parameter":[{"name":"verifiableCredential"}]}"#,
            #""data":{"hdr":{"t":"icao.vacc"}},"sig":{}"#,
            #""type":["VerifiableCredential"],"credentialSubject":{},"evidence":[],"proof":{}"#,
        ]
        let input = (others + [#""other":1"#]).map { #"{"card":"\#(card)","id":7,\#($0)}"# }
        let (result, lines) = try await run(Array(input.joined(separator: "\n").utf8))
        #expect(reasons(lines) == others.map { _ in "malformed-input" } + ["pass"])
        #expect(lines.allSatisfy { $0["id"]?.number?.integer == 7 })
        #expect(result.exitCode == 10)
        // No other command passes what is refused here.
        let linted = try await Shcverify.run(
            ["lint", "--lines", "-"] + Self.options,
            stdin: Array(input.joined(separator: "\n").utf8))
        let errors = try Self.lines(linted.stdout).filter { $0["severity"]?.isString("error") == true }
        let refused = Set(errors.compactMap { $0["line"]?.number?.integer })
        #expect(refused.isSuperset(of: others.indices.map { Int64($0 + 1) }), "\(linted.stdout)")
        for line in input {
            #expect(try await Shcverify.run(["-", "-q"] + Self.options, stdin: Array(line.utf8)).exitCode != 0)
        }
    }

    @Test func inputWithoutLinesIsEmpty() async throws {
        let (result, lines) = try await run([])
        #expect(result.exitCode == 27)
        #expect(lines.isEmpty)
        #expect(result.stderr.contains("empty-input"))
        #expect(try await Shcverify.run(["batch", Paths.vectors.path] + Self.options).exitCode == 66)
        #expect(try await Shcverify.run(["batch", Paths.vector("nothing")] + Self.options).exitCode == 66)
    }

    @Test func echoesTheIDAsItWasWritten() async throws {
        let ids = [
            "1.50", "-0", "1e400", "null", "true", #""\u00e9\/""#, #"{"b": [1 ,2], "a":{}}"#, "[]", #""""#,
            "123456789012345678901234567890",
        ]
        let card = try Self.card
        let input = ids.map { #"{"id":\#($0) ,"card":"\#(card)","other":1}"# } + [#"{"id":9}"#, card]
        let (result, lines) = try await run(Array(input.joined(separator: "\n").utf8))
        #expect(lines.prefix(ids.count).map { String(decoding: $0["id"]?.rawBytes ?? [], as: UTF8.self) } == ids)
        #expect(lines[ids.count]["id"]?.number?.integer == 9)
        #expect(lines[ids.count + 1]["id"] == nil)
        #expect(result.exitCode == 10)
    }

    @Test func verdictsKeepTheOrderOfTheLines() async throws {
        let card = try Self.card
        // Expensive and cheap lines.
        let input = (1...3000).map { $0 % 7 == 0 ? "{\"id\":\($0),\"card\":\"\(card)\"}" : "{\"id\":\($0)}" }
        // Even with the maximum number of threads, one must be left for writing.
        let (_, lines) = try await run(Array(input.joined(separator: "\n").utf8), ["--jobs", "1000"])
        #expect(lines.compactMap { $0["id"]?.number?.integer } == Array(1...3000))
        #expect(lines.allSatisfy { ($0["verdict"]?.words == "pass") == ($0["id"]!.number!.integer! % 7 == 0) })
    }

    @Test func exitCodeIsThatOfTheFirstLineThatFailed() async throws {
        let card = try Self.card
        let changed = card.dropLast(9) + "AAAA" + card.suffix(5)
        let (first, _) = try await run(Array("\(card)\n\(changed)\nx".utf8), ["--quiet"])
        #expect(first.exitCode == 11)
        #expect(first.stdout.isEmpty)
        #expect(first.stderr.contains("3 lines: 1 verified, 2 not"))
        #expect(first.stderr.contains("1 signature-invalid"))
        let (all, _) = try await run(Array("\(card)\n\(card)\n".utf8))
        #expect(all.exitCode == 0)
    }

    @Test func skipsLinesBeforeTheGivenOne() async throws {
        let input = Array("a\nb\nc\n\(try Self.card)".utf8)
        let (result, lines) = try await run(input, ["--from", "4"])
        #expect(result.exitCode == 0)
        #expect(lines.compactMap { $0["line"]?.number?.integer } == [4])
        let (none, _) = try await run(input, ["--from", "5"])
        #expect(none.exitCode == 27)
        #expect(none.stderr.contains("empty-input"))
        #expect(none.stdout.isEmpty)
    }

    @Test(arguments: [
        ["--jobs", "0"], ["--jobs", "-1"], ["--from", "0"], ["--from", "2", "--resume", "state"], ["--resume", ""],
    ])
    func contradictoryOptionsAreUsageErrors(_ options: [String]) async throws {
        #expect(try await run([], options).0.exitCode == 64)
    }
}
