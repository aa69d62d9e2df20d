import Conformance
import JSON

/// `lint --format json`: one document.
struct LintJSONReport: LintReport {
    let escapesUnprintable: Bool

    func bytes(_ outcome: LintOutcome) -> [UInt8] {
        var writer = JSONWriter(layout: .indented, escapesUnprintable: escapesUnprintable)
        writer.object { writer in
            writer.member("schemaVersion", 1)
            writer.member("exitCode", Int(outcome.exitCode))
            writer.member("errors", outcome.errors)
            writer.member("warnings", outcome.warnings)
            writer.member("unchecked", outcome.unchecked)
            writer.name("unreadable")
            writer.array { writer in
                for (source, failure) in outcome.unreadable {
                    writer.object { writer in
                        writer.member("source", source)
                        writer.member("message", failure)
                    }
                }
            }
            writer.name("findings")
            writer.array { writer in
                for finding in outcome.findings { writer.object { finding.write(to: &$0) } }
            }
        }
        return writer.bytes + [UInt8(ascii: "\n")]
    }
}

extension Finding {
    /// Writes the finding's members.
    fileprivate func write(to writer: inout JSONWriter) {
        writer.member("code", code)
        writer.member("rule", rule.id)
        writer.member("severity", severity.rawValue)
        writer.member("message", message)
        writer.member("source", source)
        writer.member("card", card)
        writer.member("layer", layer.rawValue)
        writer.member("path", path)
        // Offset, line and column count in the input itself, or in what was decoded out of it.
        writer.name("inInput")
        writer.value(isInInput)
        writer.member("offset", offset)
        writer.member("line", line)
        writer.member("column", column)
        writer.member("citation", rule.citation.number)
        writer.member("spec", rule.citation.url)
        writer.member("requirement", rule.requirement)
        writer.member("remedy", rule.remedy)
    }
}
