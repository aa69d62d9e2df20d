import CData
import Encodings

/// What a rule says: how serious a violation is, what is required, by which source, and what to do.
struct RuleText: Sendable {
    /// The severity of a violation, unless a finding has its own.
    let severity: Severity
    let citation: Citation
    let requirement: String
    let remedy: String

    /// The text of a rule that `Sources/CData/data/rules.txt` has.
    static func of(_ id: String) -> RuleText {
        guard let text = all[id] else { preconditionFailure("rules.txt does not have the rule \(id)") }
        return text
    }

    /// The texts of the file by the IDs of their rules, read when the first is asked for. The file is part of the program, so a mistake in
    /// it ends every run of the tests.
    static let all = read(unsafe EmbeddedFile(data_rules))

    private static func read(_ file: EmbeddedFile) -> [String: RuleText] {
        let lines = Array(file).split(separator: UInt8(ascii: "\n")).filter { $0.first != UInt8(ascii: "#") }
        var all: [String: RuleText] = [:]
        for start in stride(from: 0, to: lines.count, by: 4) {
            let fields = zip(["rule ", "cite ", "requires ", "remedy "], lines[start...]).compactMap { name, line in
                line.starts(with: name.utf8) ? String(decoding: line.dropFirst(name.utf8.count), as: UTF8.self) : nil
            }
            let words = lines[start].split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
            let severity = words.count == 3 ? Severity(rawValue: words[2]) : words.count == 2 ? .error : nil
            guard let severity, fields.count == 4, all[words[1]] == nil else {
                preconditionFailure("rules.txt: " + String(decoding: lines[start], as: UTF8.self))
            }
            all[words[1]] = RuleText(
                severity: severity, citation: Citation(fields[1]), requirement: fields[2], remedy: fields[3])
        }
        return all
    }
}
