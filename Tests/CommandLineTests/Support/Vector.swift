import Encodings
import Foundation
import TestSupport
import Testing

/// A vector: a command with its inputs, and what it must do. The indexes in `TestVectors`, and those of other projects, have this form.
struct Vector: Sendable, CustomTestStringConvertible {
    let id: String
    /// The command; empty if none is named.
    let mode: String
    let files: [String]
    let arguments: [String]
    let feed: String
    private let expect: JSONValue
    private let folder: URL
    /// The rules of which lint must find violations, and no others; nil if the vector does not say.
    private let rules: [String]?

    var testDescription: String { id }
    /// The code of the first rule that lint must find; empty if there is none.
    var firstCode: Substring { rules?.first?.prefix { $0 != "/" } ?? "" }

    /// All vectors of an index; none if there is no index. Their paths are relative to its folder.
    ///
    /// - Parameter path: the folder of the paths, if it is another one.
    static func all(_ index: URL, mode: String = "", in folder: URL? = nil) -> [Vector] {
        guard let bytes = try? Paths.bytes(index.path), let document = try? JSONDocument.parse(bytes) else { return [] }
        let list = document.elements ?? document["vectors"]?.elements ?? document["cases"]?.elements
        return list?.compactMap { Vector($0, mode: mode, in: folder ?? index.deletingLastPathComponent()) } ?? []
    }

    private init?(_ entry: JSONValue, mode: String, in folder: URL) {
        guard let id = entry["id"]?.words, let expect = entry["expect"] ?? entry["findings"] else { return nil }
        let path = { (relative: String) in folder.appendingPathComponent(relative).standardized.path }
        self.id = id
        self.mode = (entry["mode"]?.words ?? mode).replacing("directory-", with: "directory ")
        self.expect = expect
        self.folder = folder
        files = entry["files"]?.elements?.compactMap { $0.words.map(path) } ?? []
        arguments =
            entry["args"]?.elements?.compactMap(\.words).map { argument in
                guard let open = argument.firstIndex(of: "{"), argument.hasSuffix("}") else { return argument }
                return argument[..<open] + path(String(argument[argument.index(after: open)...].dropLast()))
            } ?? []
        feed = entry["feed"]?.words ?? "paths"
        rules = entry["findings"]?.elements?.compactMap(\.words)
    }

    // MARK: What is expected

    private func list(_ name: String) -> [JSONValue]? {
        expect[name].map { value in value.elements.map { Array($0) } ?? [value] }
    }

    private func words(_ name: String) -> [String] { list(name)?.compactMap(\.words) ?? [] }

    /// The allowed exit codes.
    var exitCodes: [Int] { list("exit")?.compactMap { $0.number?.integer.map { Int($0) } } ?? [] }

    /// The allowed reasons for the first card that did not verify; nil means that all cards verified, or that the command was refused.
    var reasons: [String?] { (list("reason") ?? list("reasons"))?.map(\.words) ?? [nil] }

    /// Whether the vector says which reasons are allowed. Those of other projects do not always.
    private var saysReason: Bool {
        expect["reason"] != nil || expect["reasons"] != nil || !folder.path.hasPrefix(SharedData.folder.path)
    }

    /// JSON pointers into the output, with the expected values.
    var pointers: [(pointer: String, value: JSONValue)] {
        expect["json"]?.members?.map { ($0.name.description, $0.value) } ?? []
    }

    /// The format that the options name; JSON if they name none, but for commands that print text or lines.
    private var format: String {
        if let place = arguments.firstIndex(of: "--format"), arguments.indices.contains(place + 1) {
            return arguments[place + 1]
        }
        return ["batch", "directory verify"].contains(mode) || mode == "directory show" && expect["json"] == nil
            ? "" : "json"
    }

    // MARK: The run

    /// What the command reads from standard input; nil if it reads nothing.
    private var input: [UInt8]? {
        get throws {
            switch feed {
            case "lines": Array(try files.map { try Paths.bytes($0) }.joined(separator: [0x0A]))
            case "stdin": try Paths.bytes(files[0])
            default: nil
            }
        }
    }

    /// Runs the vector within this process, or with the program if the standard streams of the process are needed.
    func run(byProgram: Bool = false) async throws -> Shcverify.Result {
        var command = mode.split(separator: " ").map { String($0) }
        let input = try input
        switch feed {
        case "qr":
            for file in files { command += ["--qr", String(decoding: try Paths.bytes(file), as: UTF8.self)] }
        case "lines", "stdin": command.append("-")
        default: command += files
        }
        command += arguments
        if format == "json", !arguments.contains("--format") { command += ["--format", "json"] }
        guard byProgram || mode == "batch" || input != nil else { return await Shcverify.runHere(command) }
        return try await Shcverify.run(command, stdin: input ?? [])
    }

    /// Runs the vector, and compares everything that it says.
    ///
    /// - Returns: what the command printed.
    @discardableResult func check(byProgram: Bool = false) async throws -> Shcverify.Result {
        let result = try await run(byProgram: byProgram)
        if rules == nil { #expect(exitCodes.contains(Int(result.exitCode)), "\(result.exitCode): \(result.stderr)") }
        checkWords(result)
        if let handover = expect["handover"] {
            try checkHandover(handover.words, result)
            return result
        }
        let lines = result.stdout.split(separator: "\n").joined(separator: ",")
        let report = try? JSONDocument.parse(Array((mode == "batch" ? "[\(lines)]" : result.stdout).utf8))
        for (pointer, value) in pointers {
            #expect((report?.at(pointer)?.compact ?? "null") == value.compact, "\(pointer)")
        }
        if let bundle = expect["bundle"]?.words {
            let parts = bundle.split(separator: "#")
            let file = try JSONDocument.parse(Paths.bytes(folder.appendingPathComponent(String(parts[0])).path))
            let expected = parts.count > 1 ? file.at(String(parts[1])) : file
            #expect(report?.at("/cards/0/fhirBundle")?.compact == expected?.compact)
        }
        if mode == "lint" { checkFindings(report, result) }
        guard ["", "verify", "batch"].contains(mode), format == "json" || mode == "batch" else { return result }
        checkVerdicts(report, result)
        checkCheckIn(report, result)
        return result
    }

    private func checkWords(_ result: Shcverify.Result) {
        for (name, text) in [("stderrContains", result.stderr), ("stdoutContains", result.stdout)] {
            for words in words(name) {
                let isFound =
                    expect["handover"] == nil
                    ? text.lowercased().contains(words.lowercased()) : text.contains(words)
                #expect(isFound, "\(words), found: \(text)")
            }
        }
        for words in words("stdoutLacks") { #expect(!result.stdout.lowercased().contains(words.lowercased())) }
        if let all = expect["stdout"]?.words { #expect(result.stdout == all) }
    }

    private func checkVerdicts(_ report: JSONValue?, _ result: Shcverify.Result) {
        guard let cards = (mode == "batch" ? report : report?["cards"])?.elements.map({ Array($0) }) else {
            #expect(result.stdout.isEmpty)
            let isRefused = [64, 66].contains(result.exitCode)
            #expect(isRefused || expect["stdout"] != nil, "only a refused command has no report")
            return
        }
        let codes = cards.compactMap { $0["reason"]?["code"]?.words }
        if saysReason, result.exitCode != 0 || mode == "batch" {
            #expect(reasons.contains(codes.first), "\(result.stderr)")
        }
        if let warnings = list("warnings"), report?.at("/checkIns/0") == nil {
            let found = cards.first?["warnings"]?.elements?.compactMap { $0["code"]?.words } ?? []
            if warnings.isEmpty { #expect(found.isEmpty) }
            for warning in warnings.compactMap(\.words) {
                #expect(warning == "*" ? !found.isEmpty : found.contains(warning), "\(warning), found: \(found)")
            }
        }
        guard mode != "batch", let report else { return }
        #expect(report["exitCode"]?.number?.integer == Int64(result.exitCode))
        let failed = cards.count { $0["verdict"]?.words != "pass" }
        #expect((failed == 0) == (result.exitCode == 0))
        let isTraced = arguments.contains("-v")
        // Trust lists have warnings of their own.
        let hasLists = ![Paths.vectors.path, SharedData.conformance.path].contains(folder.path)
        let lines = result.errorLines.filter { line in
            !(isTraced && line.hasPrefix("trace: ")) && !(hasLists && line.hasPrefix("shcverify: warning: "))
        }
        #expect(lines.count == failed, "one line for each card that did not verify")
    }

    private func checkCheckIn(_ report: JSONValue?, _ result: Shcverify.Result) {
        guard let checkIn = report?.at("/checkIns/0") else { return }
        let codes = { (name: String) in checkIn[name]?.elements?.compactMap { $0["code"]?.words } ?? [] }
        for warning in words("warnings") {
            #expect(codes("warnings").contains(warning), "\(warning), found: \(codes("warnings"))")
        }
        if let wanted = expect["checkInFindings"] {
            #expect(codes("findings").sorted() == wanted.elements?.compactMap(\.words).sorted())
        }
        // Nothing of a request, an item or an artifact is in a message.
        for secret in ["visit-1", "vaccines", "a2\"", "Not now"] { #expect(!result.stderr.contains(secret)) }
    }

    private func checkFindings(_ report: JSONValue?, _ result: Shcverify.Result) {
        let findings = report?["findings"]?.elements.map { Array($0) } ?? []
        let found = { (name: String) in findings.compactMap { $0[name]?.words } }
        let all = findings.map { $0.compact }.joined(separator: "\n")
        if let rules {
            // The command says of a link that nobody has opened it.
            let others = Set(found("rule")).subtracting(["shlink-manifest-error/not-opened"])
            #expect(others.sorted() == rules, "\(all)")
            #expect(result.exitCode == (found("severity").contains("error") ? 10 : 0))
        }
        for message in found("message") { #expect(message.unicodeScalars.allSatisfy { $0.value >= 0x20 }) }
        let known = Set(found("code") + found("rule"))
        let lists = expect["findings"]?.members == nil ? expect : expect["findings"]
        let words = { (name: String) in lists?[name]?.elements?.compactMap(\.words) ?? [] }
        for wanted in words("must") + words("findings") {
            let isFound = wanted.split(separator: "|").contains { known.contains(String($0)) }
            #expect(isFound, "\(wanted), found: \(all)")
        }
        for unwanted in words("mustNot") + words("noFindings") {
            #expect(!known.contains(unwanted), "\(unwanted), found: \(all)")
        }
    }

    private func checkHandover(_ file: String?, _ result: Shcverify.Result) throws {
        // Others write null for a Bundle that is not there.
        guard let file,
            case let expected = try JSONDocument.parse(Paths.bytes(folder.appendingPathComponent(file).path)),
            !expected.isNull
        else { return #expect(result.stdout.isEmpty) }
        let found = try JSONDocument.parse(Array(result.stdout.utf8))
        let entries = { (bundle: JSONValue) in bundle["entry"]?.elements.map { Array($0) } ?? [] }
        #expect(entries(found).count == entries(expected).count)
        // Which warnings a card has is tested elsewhere, so they are compared only if the case is about them.
        let plain = { (text: String, other: String) in
            other.contains("; warnings: ") ? text : text.replacing(/; warnings: [a-z, -]+/, with: "")
        }
        for (left, right) in zip(entries(found), entries(expected)) {
            let wanted = right.sorted()
            #expect(plain(left.sorted(), wanted) == wanted)
        }
        #expect(found["resourceType"]?.words == "Bundle" && found["type"]?.words == "transaction")
    }
}

extension JSONValue {
    /// The value at a JSON pointer (RFC 6901) without escapes; nil if there is none.
    func at(_ pointer: String) -> JSONValue? {
        pointer.split(separator: "/").reduce(self as JSONValue?) { value, step in
            if let elements = value?.elements {
                guard let index = Int(step), index < elements.count else { return nil }
                return Array(elements)[index]
            }
            return value?[String(step)]
        }
    }

    /// The value as JSON on one line, with its digits and order unchanged.
    var compact: String {
        var writer = JSONWriter()
        writer.value(self)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// The value with its members in one order, and with the labels of resources in one order. Numbers stay as written.
    ///
    /// - Parameter name: the member whose value it is.
    func sorted(in name: String = "") -> String {
        if let members {
            let parts = members.map { ($0.name.description, $0.value) }.sorted { $0.0 < $1.0 }
            return "{" + parts.map { "\($0.0):\($0.1.sorted(in: $0.0))" }.joined(separator: ",") + "}"
        }
        if let elements {
            let parts = elements.map { $0.sorted() }
            return "[" + (name == "tag" || name == "security" ? parts.sorted() : parts).joined(separator: ",") + "]"
        }
        return string.map { "\"\($0)\"" } ?? String(decoding: rawBytes, as: UTF8.self)
    }
}
