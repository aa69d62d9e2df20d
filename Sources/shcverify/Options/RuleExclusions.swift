import ArgumentParser
import Conformance

/// The rules that are left out.
struct RuleExclusions {
    private let patterns: [RulePattern]

    /// - Parameter values: the values of `--exclude`.
    init(_ values: [GivenValues]) { patterns = values.all.map { RulePattern(text: $0) } }

    /// Throws if there is no such rule. Otherwise a misspelt exclusion would only be noticed when the rule is broken.
    ///
    /// - Parameter own: the rules of the user's own profiles; nil if they are not known yet.
    func validate(besides own: [Rule]? = []) throws {
        let rules = Rule.all + (own ?? [])
        for pattern in patterns where own != nil || !pattern.isOfOwnProfile {
            guard !rules.contains(where: pattern.matches) else { continue }
            throw ValidationError(
                "--exclude \(pattern.text): there is no such rule; \"shcverify lint --list\" lists all rules.")
        }
    }

    /// The rules that are not excluded.
    var rules: [Rule] { Rule.all.filter { rule in !patterns.contains { $0.matches(rule) } } }

    /// The IDs of the rules that are excluded, also of those of a user's own profiles.
    func waivedRules(besides own: [Rule] = []) -> Set<String> {
        patterns.isEmpty
            ? [] : Set((Rule.all + own).filter { rule in patterns.contains { $0.matches(rule) } }.map(\.id))
    }
}

/// A pattern for the codes and IDs of rules: `*` stands for any characters, `?` for one.
struct RulePattern {
    let text: String
    private let pattern: [Unicode.Scalar]

    init(text: String) {
        self.text = text
        pattern = Array(text.unicodeScalars)
    }

    /// Whether it is about the rules of a user's own profile, which are not known before the files are read.
    var isOfOwnProfile: Bool { pattern.contains(":") }

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
