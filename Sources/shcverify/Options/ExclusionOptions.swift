import ArgumentParser
import Conformance

/// The rules that are left out.
struct ExclusionOptions: ParsableArguments {
    @Option(
        name: .customLong("exclude"),
        help: ArgumentHelp(
            "Leave out findings of this code, or of this rule (code/name); * and ? are wildcards. Repeatable.",
            valueName: "code"), completion: .list(KnownWords.rules))
    var exclude: [GivenValues] = []

    func validate() throws {
        // Otherwise a misspelt exclusion would only be noticed when the rule is broken.
        for pattern in patterns where !Rule.all.contains(where: pattern.matches) {
            throw ValidationError(
                "--exclude \(pattern.text): there is no such rule; \"shcverify lint --list\" lists all rules.")
        }
    }

    private var patterns: [RulePattern] { exclude.all.map { RulePattern(text: $0) } }

    /// The rules that are not excluded.
    var rules: [Rule] {
        let patterns = patterns
        return Rule.all.filter { rule in !patterns.contains { $0.matches(rule) } }
    }

    /// The IDs of the rules that are excluded.
    var waivedRules: Set<String> { Set(Rule.all.map(\.id)).subtracting(rules.map(\.id)) }
}

/// A pattern for the codes and IDs of rules: `*` stands for any characters, `?` for one.
struct RulePattern {
    let text: String
    private let pattern: [Unicode.Scalar]

    init(text: String) {
        self.text = text
        pattern = Array(text.unicodeScalars)
    }

    /// Whether a rule's code or ID matches the pattern.
    func matches(_ rule: Rule) -> Bool { matches(rule.code) || matches(rule.id) }

    /// Whether a whole name matches the pattern. After a mismatch, the last `*` takes one more character, and the rest
    /// is tried again. So the work is at most the product of the lengths.
    private func matches(_ name: String) -> Bool {
        let name = Array(name.unicodeScalars)
        var (here, there) = (0, 0)
        var retry: (pattern: Int, name: Int)?
        while there < name.count {
            if here < pattern.count, pattern[here] == "*" {
                retry = (here + 1, there)
                here += 1
            } else if here < pattern.count, pattern[here] == "?" || pattern[here] == name[there] {
                here += 1
                there += 1
            } else if let last = retry {
                retry = (last.pattern, last.name + 1)
                (here, there) = (last.pattern, last.name + 1)
            } else {
                return false
            }
        }
        return pattern[here...].allSatisfy { $0 == "*" }
    }
}
