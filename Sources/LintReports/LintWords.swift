import Conformance
import CredentialReports
import Encodings

extension LintSummary {
    /// What was found, in words.
    var result: String {
        guard errors + warnings == 0 else { return "\(errors.counted("error")), \(warnings.counted("warning"))" }
        guard read > 0 else { return "Nothing was linted" }
        // If rules were excluded, "no violations" alone would say too much.
        let excluded = waived > 0 ? ", \(waived.counted("rule")) excluded" : ""
        return "No \(known > 0 ? "new " : "")violations found in \(read.counted("input"))\(excluded)"
    }

    /// Whether the result is good or bad news.
    var style: Palette.Style {
        guard errors + warnings == 0 else { return errors > 0 ? .bad : .unsure }
        return read == 0 ? .bad : hasFailed ? .unsure : .good
    }

    /// What could not be checked, was left out or could not be read, to follow the result; empty if there is nothing.
    var rest: String {
        var rest = ""
        if errors + warnings + read > 0 {
            if unchecked > 0 { rest += "; \(unchecked) not checked" }
            if known > 0 { rest += "; \(known.counted("known finding")) left out (--baseline)" }
        }
        if !unreadable.isEmpty { rest += "; \(unreadable.count.counted("input")) could not be read" }
        return rest
    }

    /// The number of inputs that could be read.
    private var read: Int { inputs.count - unreadable.count }

    /// Which profiles the contents of cards have chosen, to follow the rest; empty if there are none.
    var profiles: String {
        guard !chosenProfiles.isEmpty else { return "" }
        return " (profile chosen by the contents: \(chosenProfiles.map(\.rawValue).joined(separator: ", ")))"
    }
}

extension Severity {
    /// How findings of this severity are marked.
    var style: Palette.Style { self == .error ? .bad : .unsure }
}
