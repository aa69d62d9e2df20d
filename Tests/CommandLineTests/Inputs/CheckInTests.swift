import Foundation
import StrictJSON
import TestSupport
import Testing

/// SMART Health Check-in: what a wallet answers gives no trust, and hides no card. `check-in.md` of Tests/Sessions has more.
@Suite(.timeLimit(.minutes(30))) struct CheckInTests {
    /// A case: a check-in, and its verdict.
    struct Case: Sendable, CustomTestStringConvertible {
        let id: String
        let arguments: [String]
        let expect: JSONValue

        var testDescription: String { id }

        static func all(in folder: URL) -> [Case] {
            guard let bytes = try? Paths.bytes(folder.appendingPathComponent("cases.json").path),
                let index = try? JSONDocument.parse(bytes)
            else { return [] }
            return (index.elements ?? index["cases"]?.elements)?.compactMap { Case($0, in: folder) } ?? []
        }

        private init?(_ entry: JSONValue, in folder: URL) {
            guard let id = entry["id"]?.words, let expect = entry["expect"] else { return nil }
            self.id = id
            self.expect = expect
            let files =
                entry["files"]?.elements?.compactMap(\.words).map { folder.appendingPathComponent($0).path } ?? []
            let options = (entry["args"]?.elements?.compactMap(\.words) ?? []).map { option in
                guard let brace = option.firstIndex(of: "{"), option.hasSuffix("}") else { return option }
                let path = option[option.index(after: brace)...].dropLast()
                return option[..<brace] + folder.appendingPathComponent(String(path)).standardized.path
            }
            arguments = files + options + (options.contains("--format") ? [] : ["--format", "json"])
        }

        func check() async throws {
            let result = try await Shcverify.run(arguments)
            let exits = expect["exit"]?.elements.map { Array($0) } ?? [expect["exit"]].compactMap { $0 }
            let isAllowed = exits.compactMap { $0.number?.integer }.contains(Int64(result.exitCode))
            #expect(isAllowed, "\(result.stderr)")
            guard !arguments.contains("handover") else { return }
            let report = try JSONDocument.parse(Array(result.stdout.utf8))
            let reason = report["cards"]?.elements?.compactMap { $0["reason"]?["code"]?.words }.first
            if let wanted = expect["reason"] { #expect(reason == wanted.words, "\(result.stderr)") }
            if let wanted = expect["reasons"]?.elements?.compactMap(\.words) { #expect(wanted.contains(reason ?? "")) }
            for (pointer, value) in expect["json"]?.members?.map({ ($0.name.description, $0.value) }) ?? [] {
                #expect((report.at(pointer)?.compact ?? "null") == value.compact, "\(pointer)")
            }
            let warnings = report.at("/checkIns/0/warnings")?.elements?.compactMap { $0["code"]?.words } ?? []
            for warning in expect["warnings"]?.elements?.compactMap(\.words) ?? [] {
                #expect(warnings.contains(warning), "\(warning), found: \(warnings)")
            }
            if let wanted = expect["checkInFindings"]?.elements?.compactMap(\.words) {
                let found = report.at("/checkIns/0/findings")?.elements?.compactMap { $0["code"]?.words } ?? []
                #expect(found.count == wanted.count && Set(found) == Set(wanted), "found: \(found)")
            }
            // Nothing of a request, an item or an artifact is in a message.
            for secret in ["visit-1", "vaccines", "a2\"", "Not now"] { #expect(!result.stderr.contains(secret)) }
        }
    }

    static let folder = Paths.vectors.appendingPathComponent("check-in")

    @Test func thereAreCases() { #expect(Case.all(in: Self.folder).count > 70) }

    @Test(arguments: Case.all(in: folder)) func agrees(with one: Case) async throws { try await one.check() }

    @Test(
        .enabled(if: SharedData.isPresent, "\(SharedData.absence)"),
        arguments: Case.all(in: SharedData.conformance.appendingPathComponent("desk"))
            .filter { $0.id.hasPrefix("desk/check-in/") || $0.id.hasPrefix("desk/envelope/") })
    func agreesWithTheDataOfOthers(_ one: Case) async throws { try await one.check() }
}
