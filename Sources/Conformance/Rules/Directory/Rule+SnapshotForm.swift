import JOSE
import JSON
import SMARTHealthCards

extension Rule {
    /// How old the keys are decides whether a verifier relies on them.
    static let snapshotForm = Rule(
        "directory-error", "snapshot", .d2,
        requirement: "A snapshot names its \"directory\" and \"time\", and has for each issuer its \"keys\" and "
            + "\"lastRetrieved\".",
        remedy: "Write times as RFC 3339 has them, such as 2022-05-31T00:00:00Z.",
        check: .directory { directory in
            guard directory.isSnapshot else { return [] }
            var problems = Self.problems(ofTime: "time", in: directory.value)
            if directory.value["directory"]?.kind != .string {
                problems.append(
                    Problem(
                        #"the snapshot does not say of which "#
                            + #""directory""#, at: directory.value, member: "directory"))
            }
            for info in directory.infos where info.kind == .object {
                guard problems.count < Bounds.problems else { break }
                if info["issuer"]?.kind != .object {
                    problems.append(Problem(#"the element does not say which "issuer""#, at: info, member: "issuer"))
                }
                problems += Self.problems(ofTime: "lastRetrieved", in: info)
                for (name, isRequired) in [("keys", true), ("crls", false)] {
                    guard let list = info[name] else {
                        if isRequired {
                            problems.append(Problem(#"the element has no "\#(name)""#, at: info, member: name))
                        }
                        continue
                    }
                    if list.kind != .array {
                        problems.append(Problem(#""\#(name)" is not an array but \#(list.excerpt)"#, at: list))
                    }
                }
            }
            return problems
        })

    private static func problems(ofTime name: String, in object: JSONValue) -> [Problem] {
        guard let time = object[name] else { return [Problem(#"there is no "\#(name)""#, at: object, member: name)] }
        guard time.string.flatMap({ NumericDate(text: $0.description) }) == nil else { return [] }
        return [Problem(#""\#(name)" is not a time but \#(time.excerpt)"#, at: time)]
    }
}
