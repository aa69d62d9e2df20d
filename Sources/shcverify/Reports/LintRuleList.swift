import Conformance
import JSON

/// `lint --list`: every rule.
struct LintRuleList {
    let rules: [Rule]

    func text(palette: Palette, width: Int?) -> [UInt8] {
        var lines: [String] = []
        for rule in rules {
            let severity = TextWidth.padded(rule.severity.rawValue, to: 8)
            lines.append("\(severity)\(palette(.heading, rule.id))  \(rule.citation.number), \(rule.subject)")
            lines += TextWidth.wrapped(rule.requirement, columns: width.map { $0 - 8 })
                .map { String(repeating: " ", count: 8) + $0 }
        }
        return Array((lines + [rules.count == 1 ? "1 rule" : "\(rules.count) rules", ""]).joined(separator: "\n").utf8)
    }

    func json(escapesUnprintable: Bool) -> [UInt8] {
        var writer = JSONWriter(layout: .indented, escapesUnprintable: escapesUnprintable)
        writer.object { writer in
            writer.member("schemaVersion", 1)
            writer.name("rules")
            writer.array { writer in
                for rule in rules {
                    writer.object { writer in
                        writer.member("rule", rule.id)
                        writer.member("code", rule.code)
                        writer.member("severity", rule.severity.rawValue)
                        writer.member("citation", rule.citation.number)
                        writer.member("spec", rule.citation.url)
                        writer.member("subject", rule.subject)
                        writer.member("requirement", rule.requirement)
                        writer.member("remedy", rule.remedy)
                    }
                }
            }
        }
        return writer.bytes + [UInt8(ascii: "\n")]
    }
}
