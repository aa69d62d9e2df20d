import CData
import Encodings

/// The explanation of a reason or warning code.
public struct Explanation: Sendable {
    /// The code.
    public let code: String
    /// The meaning of the code.
    public let meaning: String
    /// The causes, the most frequent first.
    public let causes: [String]
    /// What to do about it. It names no option or command, because different programs use this library.
    public let remedy: String
    /// The options and commands of `shcverify` that help; nil if there are none.
    package let options: String?
    /// What the holder of a card that did not pass, or who looks at it, can do; nil for a warning.
    package let desk: String?

    /// The explanations of all reason and warning codes.
    public static var all: [Explanation] {
        ReasonCode.allCases.map(\.explanation) + CredentialWarning.Code.allCases.map(\.explanation)
    }

    /// The explanation of one code; nil if there is no such code.
    public static func of(_ code: String) -> Explanation? {
        ReasonCode(rawValue: code)?.explanation ?? CredentialWarning.Code(rawValue: code)?.explanation
    }
}

extension ReasonCode {
    /// The meaning of the reason, its causes and what to do about it.
    public var explanation: Explanation {
        let card = explanation(for: .smartHealthCard)
        guard section.fields[.certificateMeaning] != nil else { return card }
        let other = explanation(for: .healthCertificate)
        let certificate = "For an EU certificate: "
        return Explanation(
            code: rawValue, meaning: "\(card.meaning) \(certificate)\(other.meaning)",
            causes: card.causes + other.causes.map { certificate + $0 },
            remedy: "\(card.remedy) \(certificate)\(other.remedy)", options: card.options, desk: card.desk)
    }

    /// The same for one kind of credential, without what concerns only other kinds.
    package func explanation(for kind: CredentialKind?) -> Explanation {
        Explanation(
            section, ofCertificates: kind == .healthCertificate && section.fields[.certificateMeaning] != nil)
    }

    private var section: ExplanationPage.Section { ExplanationPage.embedded.section(on: rawValue, in: .reasons) }
}

extension CredentialWarning.Code {
    /// The meaning of the warning, its cause and what to do about it.
    public var explanation: Explanation { Explanation(ExplanationPage.embedded.section(on: rawValue, in: .warnings)) }
}

extension Explanation {
    fileprivate init(_ section: ExplanationPage.Section, ofCertificates: Bool = false) {
        let fields = section.fields
        code = section.heading
        meaning = fields[ofCertificates ? .certificateMeaning : .meaning] ?? ""
        causes = fields.list(ofCertificates ? .certificateCauses : .causes)
        remedy = fields[ofCertificates ? .certificateRemedy : .remedy] ?? ""
        options = fields[.options]
        desk = fields[.desk]
    }
}

/// docs/explanations.md: what each code, exit code and word of a report means. It is in the program as it is.
///
/// A heading of the second level begins a part, and one of the third level a section on one code or word. A section has only fields,
/// which are paragraphs (`Meaning: …`) or lists (`Causes:`, and then items).
package struct ExplanationPage: Sendable {
    /// A part of the page. Parts with other headings are about words of reports.
    package enum Part: String, Sendable {
        case reasons = "Reasons"
        case warnings = "Warnings"
        case words = "Words"
        case exitCodes = "Exit codes"
    }

    /// What the page says of one code or word. It is read only when it is asked for.
    package struct Section: Sendable {
        package let part: Part
        package let heading: String
        fileprivate var lines: [Substring] = []

        /// Whether this is the heading. Words of a command line are compared byte for byte.
        package func isHeaded(_ word: String) -> Bool { heading.utf8.elementsEqual(word.utf8) }

        /// The fields of a section in the program's own page.
        package var fields: Fields {
            guard let fields = Fields(lines) else {
                // A test reads all sections.
                preconditionFailure("the section \(heading) of docs/explanations.md is malformed")
            }
            return fields
        }
    }

    /// The sections, in their order.
    package let sections: [Section]

    /// The page in this program.
    package static let embedded = ExplanationPage(
        String(decoding: unsafe EmbeddedFile(data_explanations), as: UTF8.self))

    /// Finds the sections of a page.
    package init(_ text: String) {
        var sections: [Section] = []
        var part = Part.words
        // The text between the heading of a part and its first section is for readers of the page.
        var isInSection = false
        for line in text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(Substring.init)
        {
            if line.hasPrefix("## ") {
                part = Part(rawValue: String(line.dropFirst(3))) ?? .words
                isInSection = false
            } else if line.hasPrefix("### ") {
                sections.append(Section(part: part, heading: String(line.dropFirst(4))))
                isInSection = true
            } else if isInSection {
                sections[sections.count - 1].lines.append(line)
            }
        }
        self.sections = sections
    }

    /// The section on a code that has one.
    fileprivate func section(on code: String, in part: Part) -> Section {
        guard let section = sections.first(where: { $0.part == part && $0.isHeaded(code) }) else {
            // A test checks that each code has a section.
            preconditionFailure("docs/explanations.md has no section on \(code)")
        }
        return section
    }
}

extension ExplanationPage {
    /// The fields of a section.
    package struct Fields: Sendable {
        /// The name of a field.
        package enum Name: String, Sendable {
            /// How reports say a word, too: in the form that `explain` takes, separated by commas.
            case also = "Also"
            case exitCode = "Exit code"
            case reasons = "Reasons"
            case meaning = "Meaning"
            case causes = "Causes"
            case remedy = "What to do"
            case certificateMeaning = "Meaning for EU certificates"
            case certificateCauses = "Causes for EU certificates"
            case certificateRemedy = "What to do for EU certificates"
            case desk = "At the desk"
            case options = "Options"
            case note = "Note"
        }

        /// The names and texts: several texts of a list, or else one.
        private var texts: [Name: [String]] = [:]

        /// Reads a section; nil if it has anything but fields, a field twice, or one without text.
        package init?(_ lines: [Substring]) {
            var list: Name?
            for block in lines.split(whereSeparator: \.isEmpty) {
                if let name = list {
                    list = nil
                    for line in block {
                        if line.hasPrefix("- ") {
                            texts[name, default: []].append(String(line.dropFirst(2)))
                        } else if line.hasPrefix("  "), let last = texts[name]?.popLast() {
                            texts[name]?.append(last + line.dropFirst())
                        } else {
                            return nil
                        }
                    }
                } else {
                    // An item belongs to a list, which an empty line precedes.
                    guard !block.dropFirst().contains(where: { $0.hasPrefix("- ") }) else { return nil }
                    let text = block.joined(separator: " ")
                    guard let colon = text.firstIndex(of: ":"), let name = Name(rawValue: String(text[..<colon])),
                        texts[name] == nil
                    else { return nil }
                    let rest = text[colon...].dropFirst()
                    if rest.isEmpty {
                        list = name
                    } else if rest.hasPrefix(" ") {
                        texts[name] = [String(rest.dropFirst())]
                    } else {
                        return nil
                    }
                }
            }
            guard list == nil else { return nil }
        }

        /// The text of a field; nil if the section does not have it.
        package subscript(name: Name) -> String? { texts[name]?.first }

        /// The texts of a list.
        package func list(_ name: Name) -> [String] { texts[name] ?? [] }

        /// The names of the fields.
        package var names: Set<Name> { Set(texts.keys) }
    }
}
