import Foundation
import StrictJSON
import TestSupport
import Testing

/// Runs the cases about WHO's network that others have made, with the executable: lists that prove who made them, and what their signers
/// sign.
@Suite struct WHOCaseTests {
    static let folder = SharedData.conformance.appendingPathComponent("who")
    static let cases = WHOCase.all(in: folder)

    @Test(.enabled(if: SharedData.isPresent, "\(SharedData.absence)")) func thereAreCases() {
        #expect(Self.cases.count > 75)
    }

    @Test(.enabled(if: SharedData.isPresent, "\(SharedData.absence)"), arguments: cases)
    func agrees(with one: WHOCase) async throws { try await one.check() }
}

/// A case: a command with its inputs, and what it must do.
struct WHOCase: Sendable, CustomTestStringConvertible {
    let id: String
    private let mode: [String]
    private let command: [String]
    private let expect: JSONValue

    var testDescription: String { id }

    /// All cases of a folder; none if there is no index.
    static func all(in folder: URL) -> [WHOCase] {
        guard let bytes = try? Paths.bytes(folder.appendingPathComponent("cases.json").path),
            let index = try? JSONDocument.parse(bytes)
        else { return [] }
        return index["cases"]?.elements?.compactMap { WHOCase($0, in: folder) } ?? []
    }

    private init?(_ entry: JSONValue, in folder: URL) {
        guard let id = entry["id"]?.words, let mode = entry["mode"]?.words, let expect = entry["expect"] else {
            return nil
        }
        self.id = id
        self.mode = mode.split(separator: " ").map(String.init)
        self.expect = expect
        let path = { (name: String) in folder.appendingPathComponent(name).path }
        let files = entry["files"]?.elements?.compactMap(\.words).map(path) ?? []
        let options: [String] =
            entry["args"]?.elements?.compactMap(\.words).map { option in
                option.hasPrefix("{") && option.hasSuffix("}") ? path(String(option.dropFirst().dropLast())) : option
            } ?? []
        let isPlain = ["batch", "directory verify"].contains(mode)
        command = self.mode + files + options + (isPlain ? [] : ["--format", "json"])
    }

    private func words(_ value: JSONValue?) -> [String] { value?.elements?.compactMap(\.words) ?? [] }

    func check() async throws {
        let result = try await Shcverify.run(command)
        let exits = expect["exit"]?.elements?.compactMap { $0.number?.integer } ?? []
        #expect(exits.contains(Int64(result.exitCode)), "\(result.exitCode): \(result.stderr)")
        let lines = result.stdout.split(separator: "\n").joined(separator: ",")
        let report = try? JSONDocument.parse(Array((mode == ["batch"] ? "[\(lines)]" : result.stdout).utf8))
        for (pointer, value) in expect["json"]?.members?.map({ ($0.name.description, $0.value) }) ?? [] {
            #expect((report?.at(pointer)?.compact ?? "null") == value.compact, "\(pointer)")
        }
        let reasons = words(expect["reasons"])
        if !reasons.isEmpty {
            let cards = (mode == ["batch"] ? report : report?["cards"])?.elements.map { Array($0) } ?? []
            let code = cards.compactMap { $0["reason"]?["code"]?.words }.first
            #expect(reasons.contains(code ?? ""), "\(result.stderr)")
        }
        guard let findings = expect["findings"] else { return }
        let found = report?["findings"]?.elements?.compactMap { $0["code"]?.words } ?? []
        for code in words(findings["must"]) { #expect(found.contains(code), "\(code), found: \(found)") }
        for code in words(findings["mustNot"]) { #expect(!found.contains(code), "\(code), found: \(found)") }
    }
}
