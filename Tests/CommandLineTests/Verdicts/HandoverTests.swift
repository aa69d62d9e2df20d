import Foundation
import StrictJSON
import Subprocess
import SystemPackage
import TestSupport
import Testing

/// What is handed over to a FHIR server: only what was verified, once, with labels that nobody can give himself.
@Suite(.timeLimit(.minutes(5))) struct HandoverTests {
    /// A case: cards, and the transaction that they must become.
    struct Case: Sendable, CustomTestStringConvertible {
        let id: String
        let arguments: [String]
        let expect: JSONValue
        let folder: URL

        var testDescription: String { id }

        static func all(in folder: URL) -> [Case] {
            guard let bytes = try? Paths.bytes(folder.appendingPathComponent("cases.json").path),
                let index = try? JSONDocument.parse(bytes)
            else { return [] }
            return (index.elements ?? index["cases"]?.elements)?.compactMap { Case($0, in: folder) } ?? []
        }

        private init?(_ entry: JSONValue, in folder: URL) {
            guard let id = entry["id"]?.words, let expect = entry["expect"], expect["handover"] != nil else {
                return nil
            }
            self.id = id
            self.expect = expect
            self.folder = folder
            let files =
                entry["files"]?.elements?.compactMap(\.words).map { folder.appendingPathComponent($0).path } ?? []
            arguments =
                files
                + (entry["args"]?.elements?.compactMap(\.words) ?? []).map { option in
                    guard let brace = option.firstIndex(of: "{"), option.hasSuffix("}") else { return option }
                    let path = option[option.index(after: brace)...].dropLast()
                    return option[..<brace] + folder.appendingPathComponent(String(path)).standardized.path
                }
        }

        func check() async throws {
            let result = try await Shcverify.run(arguments)
            let exits = expect["exit"]?.elements.map { $0.compactMap { $0.number?.integer } }
            #expect(
                (exits ?? [expect["exit"]?.number?.integer ?? -1]).contains(Int64(result.exitCode)), "\(result.stderr)")
            for words in expect["stderrContains"]?.elements?.compactMap(\.words) ?? [] {
                #expect(result.stderr.contains(words), "\(result.stderr)")
            }
            guard let path = expect["handover"]?.words else { return #expect(result.stdout.isEmpty) }
            // Others write null for a Bundle that is not there.
            let expected = try JSONDocument.parse(Paths.bytes(folder.appendingPathComponent(path).path))
            guard !expected.isNull else { return #expect(result.stdout.isEmpty) }
            let found = try JSONDocument.parse(Array(result.stdout.utf8))
            let (left, right) = (
                found["entry"]?.elements.map(Array.init) ?? [], expected["entry"]?.elements.map(Array.init) ?? []
            )
            #expect(left.count == right.count)
            // Which warnings a card has is tested elsewhere, so they are compared only if the case is about them.
            let plain = { (text: String, other: String) in
                other.contains("; warnings: ") ? text : text.replacing(/; warnings: [a-z, -]+/, with: "")
            }
            for (left, right) in zip(left, right) {
                let wanted = HandoverTests.comparable(right)
                #expect(plain(HandoverTests.comparable(left), wanted) == wanted)
            }
            #expect(found["resourceType"]?.words == "Bundle" && found["type"]?.words == "transaction")
        }
    }

    /// A value with its members in one order, and with the labels of resources in one order. Numbers stay as written.
    private static func comparable(_ value: JSONValue, in name: String = "") -> String {
        if let members = value.members {
            let parts = members.map { ($0.name.description, $0.value) }.sorted { $0.0 < $1.0 }
            return "{" + parts.map { "\($0.0):\(comparable($0.1, in: $0.0))" }.joined(separator: ",") + "}"
        }
        if let elements = value.elements {
            let parts = elements.map { comparable($0) }
            return "[" + (name == "tag" || name == "security" ? parts.sorted() : parts).joined(separator: ",") + "]"
        }
        return value.string.map { "\"\($0)\"" } ?? String(decoding: value.rawBytes, as: UTF8.self)
    }

    static let folder = Paths.vectors.appendingPathComponent("handover")

    @Test func thereAreCases() { #expect(Case.all(in: Self.folder).count > 20) }

    @Test(arguments: Case.all(in: folder)) func agrees(with one: Case) async throws { try await one.check() }

    @Test(
        .enabled(if: SharedData.isPresent, "\(SharedData.absence)"),
        arguments: Case.all(in: SharedData.conformance.appendingPathComponent("desk"))
            .filter { $0.id.hasPrefix("desk/handover/") })
    func agreesWithTheDataOfOthers(_ one: Case) async throws { try await one.check() }

    private static let plain = folder.appendingPathComponent("cards/plain.jws").path
    private static let options = [
        "--jwks",
        "https://issuer-a.example/cards=\(Paths.vectors.appendingPathComponent("keys/issuer-a.jwks.json").path)",
        "--at", "2026-06-01T00:00:00Z", "--offline",
    ]

    @Test func theSameInputsGiveTheSameOctets() async throws {
        let first = try await Shcverify.run([Self.plain] + Self.options + ["--format", "handover"])
        let second = try await Shcverify.run([Self.plain] + Self.options + ["--format", "handover"])
        #expect(first.stdout == second.stdout)
        #expect(first.stderr.isEmpty)
    }

    @Test func anyOrderOfCardsGivesTheSameEntries() async throws {
        let cards = ["plain.jws", "one-person-otherwise-2.jws", "twins.jws", "carriers-3.smart-health-card"]
            .map { Self.folder.appendingPathComponent("cards/\($0)").path }
        var found: Set<[String]> = []
        for turned in [cards, cards.reversed(), [cards[2], cards[0], cards[3], cards[1]]] {
            let result = try await Shcverify.run(turned + Self.options + ["--format", "handover"])
            let bundle = try JSONDocument.parse(Array(result.stdout.utf8))
            found.insert((bundle["entry"]?.elements.map(Array.init) ?? []).map { Self.comparable($0) }.sorted())
        }
        #expect(found.count == 1)
    }

    // MARK: A file

    /// What `--format handover` prints of a card.
    private func transaction(_ arguments: [String]) async throws -> String {
        try await Shcverify.run(arguments + ["--format", "handover"]).stdout
    }

    @Test(arguments: [[], ["--format", "json"], ["--quiet"], ["--color", "never"]])
    func theBundleIsWrittenBesideTheReport(_ options: [String]) async throws {
        let plain = [Self.plain] + Self.options
        try await Paths.withTemporaryDirectory { folder in
            let file = folder.appendingPathComponent("bundle.json").path
            try Data("an older one".utf8).write(to: URL(fileURLWithPath: file))
            let result = try await Shcverify.run(plain + options + ["--handover", file])
            let other = try await Shcverify.run(plain + options)
            #expect(result.exitCode == 0 && result.stderr.isEmpty, "\(result.stderr)")
            // The times at which two runs were made differ.
            #expect(result.stdout.count == other.stdout.count)
            #expect(String(decoding: try Paths.bytes(file), as: UTF8.self) == (try await transaction(plain)))
            let attributes = try FileManager.default.attributesOfItem(atPath: file)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["bundle.json"])
        }
    }

    /// The Bundle of an earlier patient must not stay there.
    @Test func ifNothingIsLeftAnOldFileGoes() async throws {
        let forged = Self.folder.appendingPathComponent("cards/forged.jws").path
        let nothing = Self.folder.appendingPathComponent("cards/nothing-left.jws").path
        try await Paths.withTemporaryDirectory { folder in
            let file = folder.appendingPathComponent("bundle.json").path
            for (card, code) in [(forged, 11), (nothing, 0), ("/no/such/card", 66)] {
                try Data("an older one".utf8).write(to: URL(fileURLWithPath: file))
                let result = try await Shcverify.run([card] + Self.options + ["--handover", file])
                #expect(result.exitCode == Int32(code), "\(result.stderr)")
                #expect(!FileManager.default.fileExists(atPath: file))
                let again = try await Shcverify.run([card, "--quiet"] + Self.options + ["--handover", file])
                #expect(again.exitCode == Int32(code))
                #expect(again.stderr.contains("handover-left-out") == (card == nothing))
                #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
            }
        }
    }

    /// A run that judges nothing leaves no older hand-over, and what a run reads is never overwritten.
    @Test func anOldFileGoesFirstAndNothingThatIsReadIsWritten() async throws {
        try await Paths.withTemporaryDirectory { folder in
            let file = folder.appendingPathComponent("bundle.json").path
            try Data("an older one".utf8).write(to: URL(fileURLWithPath: file))
            let result = try await Shcverify.run([Self.plain, "--jwks", "/no/such/file", "--handover", file])
            #expect(result.exitCode == 66 && !FileManager.default.fileExists(atPath: file), "\(result.stderr)")
            let card = try Paths.bytes(Self.plain)
            try Data(card).write(to: URL(fileURLWithPath: file))
            for arguments in [[file], [Self.plain, "--jwks", "https://a.example=\(file)"]] {
                let result = try await Shcverify.run(
                    arguments + Self.options + ["--handover", folder.path + "/./bundle.json"])
                #expect(result.exitCode == 64 && result.stdout.isEmpty, "\(result.stderr)")
                #expect(try Paths.bytes(file) == card)
            }
        }
    }

    /// A file of another folder is reached by a link, also though a run may write nowhere else.
    @Test func theFileOfALinkIsWritten() async throws {
        try await Paths.withTemporaryDirectory { folder in
            let other = folder.appendingPathComponent("other")
            try FileManager.default.createDirectory(at: other, withIntermediateDirectories: false)
            let (file, link) = (other.appendingPathComponent("b").path, folder.appendingPathComponent("link").path)
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "other/b")
            let result = try await Shcverify.run([Self.plain] + Self.options + ["--handover", link])
            #expect(result.exitCode == 0, "\(result.stderr)")
            #expect(String(decoding: try Paths.bytes(file), as: UTF8.self).contains("transaction"))
            let forged = Self.folder.appendingPathComponent("cards/forged.jws").path
            _ = try await Shcverify.run([forged] + Self.options + ["--handover", link])
            #expect(!FileManager.default.fileExists(atPath: file))
        }
    }

    @Test(arguments: [
        ["--handover", "-"], ["--handover", "bundle.json", "--format", "handover"], ["--handover=-", "--quiet"],
    ])
    func standardOutputIsNoFile(_ options: [String]) async throws {
        for command in [
            ["verify", Self.plain] + Self.options, ["fetch-cards", "https://fhir.example", "--patient", "1"],
        ] {
            let result = try await Shcverify.run(command + options)
            #expect(result.exitCode == 64)
            #expect(result.stderr.contains("--handover"), "\(result.stderr)")
        }
    }

    @Test func aFileThatCannotBeWrittenEndsTheRunFirst() async throws {
        let result = try await Shcverify.run(
            [Self.plain] + Self.options + ["--handover", "/no/such/folder/bundle.json"])
        #expect(result.exitCode == 1)
        #expect(result.stdout.isEmpty)
        #expect(result.stderr.contains("--handover /no/such/folder/bundle.json: cannot be written"), "\(result.stderr)")
    }

    @Test func quietHandsNothingOver() async throws {
        let result = try await Shcverify.run([Self.plain] + Self.options + ["--format", "handover", "--quiet"])
        #expect(result.exitCode == 0)
        #expect(result.stdout.isEmpty)
    }

    @Test(arguments: [
        ["--include-unsigned"], ["--include-unsigned", "--format", "json"], ["--include-unsigned", "--format", "fhir"],
    ])
    func unsignedContentNeedsTheHandover(_ options: [String]) async throws {
        let result = try await Shcverify.run([Self.plain] + Self.options + options)
        #expect(result.exitCode == 64)
        #expect(result.stderr.contains("--include-unsigned"))
    }

    @Test(arguments: ["records", "batch", "lint"]) func otherCommandsHaveNoHandover(_ command: String) async throws {
        for option in [["--format", "handover"], ["--handover", "/dev/null"]] {
            #expect(try await Shcverify.run([command, Self.plain] + option).exitCode == 64)
        }
    }

    /// A script posts cards to a server that does conditional creates, and counts what is stored.
    @Test func postedTwiceEverythingIsStoredOnce() async throws {
        let script = Paths.root.appendingPathComponent("Examples/Intake/test_intake.py").path
        let result = try await Shcverify.run(["-B", script, Shcverify.path], executable: "/usr/bin/python3")
        #expect(result.exitCode == 0, "\(result.stdout)\(result.stderr)")
    }
}
