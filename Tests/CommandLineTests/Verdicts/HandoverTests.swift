import Foundation
import StrictJSON
import TestSupport
import Testing

/// What is handed over to a FHIR server: only what was verified, once, with labels that nobody can give himself.
/// Tests/Sessions/handover.md has the options.
@Suite(.timeLimit(.minutes(30))) struct HandoverTests {
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
            let exits = expect["exit"].map { $0.elements.map { Array($0) } ?? [$0] } ?? []
            let isExpected = exits.contains { $0.number?.integer == Int64(result.exitCode) }
            #expect(isExpected, "\(result.stderr)")
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

    /// A script posts cards to a server that does conditional creates, and counts what is stored.
    @Test func postedTwiceEverythingIsStoredOnce() async throws {
        let script = Paths.root.appendingPathComponent("Examples/Intake/test_intake.py").path
        let result = try await Shcverify.run(["-B", script, Shcverify.path], executable: "/usr/bin/python3")
        #expect(result.exitCode == 0, "\(result.stdout)\(result.stderr)")
    }
}
