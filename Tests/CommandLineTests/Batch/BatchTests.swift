import Encodings
import Foundation
import TestSupport
import Testing

/// `batch` judges cards as `verify` does.
@Suite(.timeLimit(.minutes(30))) struct BatchTests {
    static let options = [
        "--offline", "--jwks", Paths.vector("keys/issuer-a.jwks.json"), "--at", "2026-06-01T00:00:00Z",
    ]
    static var card: String {
        get throws { String(decoding: try Paths.bytes(Paths.vector("cards/inputs/jws.jws")), as: UTF8.self) }
    }

    static func lines(_ text: String) throws -> [JSONValue] {
        try text.utf8.split(separator: 0x0A).map { try JSONDocument.parse(Array($0)) }
    }

    /// Through a pipe as from a file.
    @Test func saysThatATableIsNoListOfCards() async throws {
        let table = try "id,card\n1,\(Self.card)\n"
        let piped = try await Shcverify.run(["batch"] + Self.options, stdin: Array(table.utf8))
        let folder = try TemporaryDirectory()
        let file = try folder.write(table, to: "cards.csv")
        let read = try await Shcverify.run(["batch", file] + Self.options)
        for result in [piped, read] {
            #expect(
                result.stderr.contains("looks like CSV, and batch takes cards, one a line: \"mlr -S --icsv --ojsonl"))
            #expect(result.exitCode == 10)
        }
        let other = try await Shcverify.run(["batch"] + Self.options, stdin: Array("id;card\n1;\(Self.card)\n".utf8))
        #expect(other.stderr.contains("--icsv --ifs ';'"))
        let cards = try await Shcverify.run(["batch"] + Self.options, stdin: Array(Self.card.utf8))
        #expect(!cards.stderr.contains("looks like"))
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

    /// The vectors that are one line, by their options, in eight parts that take about as long as each other.
    private static let parts: [[[(vector: Vector, line: [UInt8])]]] = {
        let all = VectorTests.cards.compactMap { vector in line(of: vector).map { (vector: vector, line: $0) } }
        let groups = Dictionary(grouping: all, by: \.vector.arguments).values.sorted {
            $0[0].vector.id < $1[0].vector.id
        }
        return (0..<8).map { part in groups.indices.filter { $0 % 8 == part }.map { groups[$0] } }
    }()

    @Test func thereAreManyLines() { #expect(Self.parts.joined().joined().count > 500) }

    /// With crypto_mb, if it is installed or SHCVERIFY_TEST_LANES names it; with tables alone; and with neither.
    @Test(arguments: 0..<8, [([], [:]), ([], ["SHCVERIFY_TEST_LANES": "/nowhere"]), (["--no-precompute"], [:])])
    func agreesWithVerify(_ part: Int, _ way: ([String], [String: String])) async throws {
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            for group in Self.parts[part] {
                tasks.addTask { try await expectAgreement(of: group, group[0].vector.arguments + way.0, way.1) }
            }
            try await tasks.waitForAll()
        }
    }

    private func expectAgreement(
        of group: [(vector: Vector, line: [UInt8])], _ arguments: [String], _ environment: [String: String]
    ) async throws {
        let input = Array(group.map(\.line).joined(separator: [0x0A]))
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
}
