import Conformance

/// Rules by their code or their id, with wildcards: `*` for any characters, `?` for one.
struct RulePattern {
    let text: String

    /// Whether a rule's code or id is of this pattern.
    func matches(_ rule: Rule) -> Bool { matches(rule.code) || matches(rule.id) }

    /// Whether all of a name is of this pattern. Where it fails, the last `*` takes one character more and the rest is
    /// tried again, so the work is at most the product of the lengths.
    private func matches(_ name: String) -> Bool {
        let pattern = Array(text.unicodeScalars)
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
