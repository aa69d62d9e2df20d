import Foundation
import StrictJSON
import TestSupport
import Testing

/// Runs the cases of EU Digital COVID Certificates with the executable. `TestVectors/hcert/README.md` explains them.
///
/// The cases of `lint` are run by the tests of lint.
@Suite struct HealthCertificateCaseTests {
    static let folder = Paths.vectors.appendingPathComponent("hcert")
    static let cases = HealthCertificateCase.all(in: folder).filter { $0.mode != "lint" }

    /// Cases that neither the contract nor the specification decides, and that are decided in another way than the generator
    /// guesses. Each has the reason.
    static let decidedOtherwise = [
        "claims/iss-null": "the issuer is a text if it is there, and null is none"
    ]

    @Test func thereAreCases() {
        #expect(Self.cases.count > 770)
        let unknown = Set(Self.decidedOtherwise.keys).subtracting(Self.cases.map(\.id))
        #expect(unknown.isEmpty, "only cases that exist can be left out")
    }

    @Test(arguments: cases.filter { decidedOtherwise[$0.id] == nil })
    func agrees(with one: HealthCertificateCase) async throws { try await one.check() }

    // MARK: The data of others

    static let casesOfOthers = HealthCertificateCase.all(in: SharedData.conformance.appendingPathComponent("hcert"))

    @Test(.enabled(if: SharedData.isPresent, "\(SharedData.absence)")) func thereAreCasesOfOthers() {
        #expect(Self.casesOfOthers.count > 390)
    }

    @Test(.enabled(if: SharedData.isPresent, "\(SharedData.absence)"), arguments: casesOfOthers)
    func agreesWithTheDataOfOthers(_ one: HealthCertificateCase) async throws { try await one.check() }
}

/// A case: a command with its inputs, and what it must do.
struct HealthCertificateCase: Sendable, CustomTestStringConvertible {
    let id: String
    let mode: String
    private let command: [String]
    /// The format that the options name; nil if the report is JSON.
    private let format: String?
    private let expect: JSONValue

    var testDescription: String { id }

    /// All cases of a folder; none if there is no index.
    static func all(in folder: URL) -> [HealthCertificateCase] {
        guard let bytes = try? Paths.bytes(folder.appendingPathComponent("cases.json").path),
            let index = try? JSONDocument.parse(bytes)
        else { return [] }
        return index["cases"]?.elements?.compactMap { HealthCertificateCase($0, in: folder) } ?? []
    }

    private init?(_ entry: JSONValue, in folder: URL) {
        guard let id = entry["id"]?.words, let mode = entry["mode"]?.words, let expect = entry["expect"] else {
            return nil
        }
        self.id = id
        self.mode = mode
        self.expect = expect
        let files = entry["files"]?.elements?.compactMap(\.words).map { folder.appendingPathComponent($0).path } ?? []
        let options: [String] =
            entry["args"]?.elements?.compactMap(\.words).map { option in
                guard let brace = option.firstIndex(of: "{"), option.hasSuffix("}") else { return option }
                let path = option[option.index(after: brace)...].dropLast()
                return option[..<brace] + folder.appendingPathComponent(String(path)).path
            } ?? []
        let inputs: [String] =
            entry["feed"]?.words == "qr"
            ? files.flatMap { ["--qr", (try? Paths.bytes($0)).map { String(decoding: $0, as: UTF8.self) } ?? ""] }
            : files
        let names = mode.hasPrefix("directory-") ? ["directory", String(mode.dropFirst("directory-".count))] : [mode]
        // `batch` writes lines of JSON in any case.
        format = options.firstIndex(of: "--format").flatMap { options.indices.contains($0 + 1) ? options[$0 + 1] : nil }
        let hasFormat = options.contains("--format") || mode == "batch" || mode.hasPrefix("directory-")
        command = names + inputs + options + (hasFormat ? [] : ["--format", "json"])
    }

    private func list(_ name: String) -> [JSONValue]? {
        expect[name].map { value in value.elements.map { Array($0) } ?? [value] }
    }

    private func words(_ name: String) -> [String] { list(name)?.compactMap(\.words) ?? [] }

    func check() async throws {
        let result = try await Shcverify.run(command)
        let exits = list("exit")?.compactMap { $0.number?.integer } ?? []
        #expect(exits.contains(Int64(result.exitCode)), "\(result.stderr)")
        let (output, errors) = (result.stdout.lowercased(), result.stderr.lowercased())
        for words in words("stderrContains") { #expect(errors.contains(words.lowercased()), "\(result.stderr)") }
        for words in words("stdoutContains") { #expect(output.contains(words.lowercased()), "\(result.stdout)") }
        for words in words("stdoutLacks") { #expect(!output.contains(words.lowercased()), "\(result.stdout)") }
        if let all = expect["stdout"]?.words { #expect(result.stdout == all) }
        checkReport(try report(result.stdout), result)
    }

    /// The report; nil if there is none. That of `batch` is an array of its lines.
    private func report(_ output: String) throws -> JSONValue? {
        if mode == "batch" {
            return try JSONDocument.parse(
                Array(("[" + output.split(separator: "\n").joined(separator: ",") + "]").utf8))
        }
        return try? JSONDocument.parse(Array(output.utf8))
    }

    private func checkReport(_ report: JSONValue?, _ result: Shcverify.Result) {
        for (pointer, value) in expect["json"]?.members?.map({ ($0.name.description, $0.value) }) ?? [] {
            #expect((report?.at(pointer)?.compact ?? "null") == value.compact, "\(pointer)")
        }
        guard mode == "verify" || mode == "batch" else { return }
        // A page or a text has no members. What it says is compared as it stands.
        guard format == nil || format == "json" || expect["stdout"] != nil else { return }
        guard let cards = (mode == "batch" ? report : report?["cards"])?.elements.map({ Array($0) }) else {
            let isRefusal = [64, 66].contains(result.exitCode)
            #expect(isRefusal || expect["stdout"] != nil, "only a refused command has no report")
            return
        }
        if mode == "verify" {
            #expect(report?["exitCode"]?.number?.integer == Int64(result.exitCode))
            let failed = cards.filter { $0["verdict"]?.words != "pass" }
            #expect(failed.isEmpty == (result.exitCode == 0))
            let others = ["trace: ", "shcverify: warning: "]
            #expect(
                result.errorLines.count { line in !others.contains { line.hasPrefix($0) } } == failed.count,
                "one line for each that did not verify")
        }
        if let allowed = list("reason") {
            let code = cards.compactMap { $0["reason"]?["code"]?.words }.first
            #expect(allowed.contains { $0.words == code }, "\(result.stderr)")
        }
        if let warnings = list("warnings") {
            let found = cards.first?["warnings"]?.elements?.compactMap { $0["code"]?.words } ?? []
            if warnings.isEmpty { #expect(found.isEmpty) }
            for warning in warnings.compactMap(\.words) {
                #expect(warning == "*" ? !found.isEmpty : found.contains(warning), "\(warning), found: \(found)")
            }
        }
    }
}
