import Conformance
import CredentialReports
import StrictJSON

/// The findings of one input, or at one issuer, as a part of a page.
enum FindingArticle {
    /// Writes the part.
    ///
    /// - Parameters:
    ///   - title: the name of the input, from strangers.
    ///   - name: the name of the issuer, from strangers; nil if it has none.
    ///   - number: the number of the part, if something links to it.
    ///   - findings: the findings.
    ///   - more: writes what follows the findings.
    static func write(
        _ title: String, name: UTF8Text? = nil, number: Int? = nil, _ findings: [Finding], to writer: inout HTMLWriter,
        more: (inout HTMLWriter) -> Void = { _ in }
    ) {
        let content = { (writer: inout HTMLWriter) in
            writer.element(.h2) { writer in
                if let name {
                    writer.isolated(TerminalText.printable(name, upTo: 200))
                    writer.text(" ")
                }
                writer.isolated(TerminalText.printable(title, upTo: 300))
            }
            if findings.isEmpty { writer.element(.p, text: "No departures found.") }
            for group in Finding.byCard(findings) { write(group, to: &writer) }
            more(&writer)
        }
        if let number {
            writer.element(.article, .part(number), content: content)
        } else {
            writer.element(.article, content: content)
        }
    }

    /// Writes the findings about one card, or those about no card.
    private static func write(_ findings: [Finding], to writer: inout HTMLWriter) {
        writer.element(.section) { writer in
            if let card = findings.first?.card { writer.element(.h3, text: "Card \(card)") }
            let heading: HTMLWriter.Element = findings.first?.card == nil ? .h3 : .h4
            var explained: Set<[String]> = []
            for finding in findings {
                let isExplained = !explained.insert([finding.rule.id, finding.remedy]).inserted
                write(finding, as: heading, isExplained: isExplained, to: &writer)
            }
        }
    }

    /// - Parameters:
    ///   - heading: the level of the heading.
    ///   - isExplained: whether an earlier finding has the explanation of this rule.
    private static func write(
        _ finding: Finding, as heading: HTMLWriter.Element, isExplained: Bool, to writer: inout HTMLWriter
    ) {
        let rule = finding.rule
        writer.element(.div, .style("finding")) { writer in
            writer.element(heading) { writer in
                writer.element(.span, .style(finding.severity.style.name)) { writer in
                    writer.element(.span, .style("tone"), text: finding.severity.words)
                }
                writer.text(" ")
                writer.element(.code, text: rule.id)
            }
            if let place = finding.place {
                writer.element(.p, .style("note")) { writer in
                    writer.text("at ")
                    writer.isolated(place)
                }
            }
            writer.element(.p) { $0.quoting(finding.message) }
            guard !isExplained else { return }
            writer.element(.p, .style("note")) { writer in
                if rule.citation.url.hasPrefix("https://") {
                    writer.element(.a, .toSource(rule.citation.url)) { $0.text(rule.citation.number) }
                } else {
                    writer.text("\(rule.citation.number) (\(rule.citation.url))")
                }
                writer.text(": ")
                writer.prose(rule.requirement)
            }
            writer.element(.p) { writer in
                writer.text("To do: ")
                writer.prose(finding.remedy)
            }
        }
    }
}
