import Conformance
import JSON

/// `lint --format sarif`: SARIF 2.1.0, as code scanning reads it.
struct LintSARIFReport: LintReport {
    let escapesUnprintable: Bool

    func bytes(_ outcome: LintOutcome) -> [UInt8] {
        var rules: [Rule] = []
        var places: [String: Int] = [:]
        for finding in outcome.findings where places[finding.rule.id] == nil {
            places[finding.rule.id] = rules.count
            rules.append(finding.rule)
        }
        var writer = JSONWriter(layout: .indented, escapesUnprintable: escapesUnprintable)
        writer.object { writer in
            writer.member("$schema", "https://json.schemastore.org/sarif-2.1.0.json")
            writer.member("version", "2.1.0")
            writer.name("runs")
            writer.array { writer in
                writer.object { writer in
                    tool(rules, to: &writer)
                    invocation(outcome, to: &writer)
                    // As many columns as there are characters: tabs and what two UTF-16 units make are one each.
                    writer.member("columnKind", "unicodeCodePoints")
                    results(outcome.findings, places, to: &writer)
                }
            }
        }
        return writer.bytes + [UInt8(ascii: "\n")]
    }

    private func tool(_ rules: [Rule], to writer: inout JSONWriter) {
        writer.name("tool")
        writer.object { writer in
            writer.name("driver")
            writer.object { writer in
                writer.member("name", "shcverify")
                writer.member("version", Version.number)
                writer.member("informationUri", "https://spec.smarthealth.cards/")
                writer.name("rules")
                writer.array { writer in
                    for rule in rules { writer.object { self.rule(rule, to: &$0) } }
                }
            }
        }
    }

    private func rule(_ rule: Rule, to writer: inout JSONWriter) {
        writer.member("id", rule.id)
        text("shortDescription", rule.requirement, to: &writer)
        text("fullDescription", "\(rule.citation.number): \(rule.requirement)", to: &writer)
        text("help", rule.remedy, to: &writer)
        writer.member("helpUri", rule.citation.url)
        writer.name("defaultConfiguration")
        writer.object { $0.member("level", rule.severity.rawValue) }
        writer.name("properties")
        writer.object { writer in
            writer.name("tags")
            writer.array { writer in
                for tag in [rule.code, rule.subject, rule.citation.number] { writer.value(tag) }
            }
            writer.member("problem.severity", rule.severity.rawValue)
        }
    }

    private func invocation(_ outcome: LintOutcome, to writer: inout JSONWriter) {
        writer.name("invocations")
        writer.array { writer in
            writer.object { writer in
                writer.name("executionSuccessful")
                writer.value(outcome.unreadable.isEmpty)
                writer.member("exitCode", Int(outcome.exitCode))
                writer.name("toolExecutionNotifications")
                writer.array { writer in
                    for (source, failure) in outcome.unreadable {
                        writer.object { writer in
                            writer.member("level", "error")
                            text("message", "\(source): \(failure)", to: &writer)
                            location(of: source, to: &writer) { _ in }
                        }
                    }
                }
            }
        }
    }

    private func results(_ findings: [Finding], _ places: [String: Int], to writer: inout JSONWriter) {
        // Findings alike in all that stays the same are told apart by their number.
        var alike: [String: Int] = [:]
        writer.name("results")
        writer.array { writer in
            for finding in findings {
                let parts = [
                    finding.rule.id, finding.subject, finding.layer.rawValue, finding.path ?? "",
                ]
                let number = alike[SARIFText.fingerprint(parts), default: 0]
                alike[SARIFText.fingerprint(parts)] = number + 1
                writer.object { writer in
                    result(finding, at: places[finding.rule.id], to: &writer)
                    writer.name("partialFingerprints")
                    writer.object { $0.member("finding/v1", SARIFText.fingerprint(parts + [String(number)])) }
                }
            }
        }
    }

    private func result(_ finding: Finding, at place: Int?, to writer: inout JSONWriter) {
        writer.member("ruleId", finding.rule.id)
        if let place { writer.member("ruleIndex", place) }
        if finding.severity == .unchecked {
            // There was not enough to decide whether the rule is kept (§3.27.9), which is a result without a level (§3.27.10).
            writer.member("kind", "open")
            writer.member("level", "none")
        } else {
            writer.member("level", finding.severity.rawValue)
        }
        text("message", finding.message, to: &writer)
        location(of: finding.source, to: &writer) { writer in
            guard finding.isInInput, let line = finding.line, let column = finding.column else { return }
            writer.name("region")
            writer.object { writer in
                writer.member("startLine", line)
                writer.member("startColumn", column)
            }
        } logical: {
            finding.path
        }
        writer.name("properties")
        writer.object { writer in
            if let card = finding.card { writer.member("card", card) }
            writer.member("layer", finding.layer.rawValue)
            if let offset = finding.offset { writer.member("offset", offset) }
        }
    }

    /// The one location: in which artifact, where in its text, where in its structure.
    private func location(
        of source: String, to writer: inout JSONWriter, physical: (inout JSONWriter) -> Void,
        logical: () -> String? = { nil }
    ) {
        writer.name("locations")
        writer.array { writer in
            writer.object { writer in
                writer.name("physicalLocation")
                writer.object { writer in
                    writer.name("artifactLocation")
                    writer.object { $0.member("uri", SARIFText.uri(source)) }
                    physical(&writer)
                }
                guard let path = logical() else { return }
                writer.name("logicalLocations")
                writer.array { writer in
                    writer.object { $0.member("fullyQualifiedName", TerminalText.printable(path)) }
                }
            }
        }
    }

    private func text(_ name: StaticString, _ text: String, to writer: inout JSONWriter) {
        writer.name(name)
        writer.object { $0.member("text", SARIFText.message(text)) }
    }
}
