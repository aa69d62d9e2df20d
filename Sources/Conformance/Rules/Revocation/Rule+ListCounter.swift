import JOSE
import JSON
import SMARTHealthCards

extension Rule {
    /// Real issuers write strings of digits too, and verifiers read them.
    static let listCounter = Rule(
        "revocation-error", "counter", .r2,
        requirement: "\"ctr\" of a revocation list is a number that grows by one with every change.",
        remedy: "Write \"ctr\": 1, without quotation marks, and the same number as \"crlVersion\" of the key.",
        check: .revocationList { list in
            guard list.value.kind == .object else { return [] }
            guard let counter = list.value["ctr"] else {
                var words = #"the list has no "ctr""#
                if list.value["crlVersion"] != nil { words += #"; "crlVersion" is a member of keys"# }
                return [Problem(words, at: list.value, member: "ctr")]
            }
            guard RevocationCounter(counter) != nil else {
                return [Problem(#""ctr" is not a whole number but \#(counter.excerpt)"#, at: counter)]
            }
            return counter.kind == .string
                ? [
                    Problem(
                        #""ctr" is a number, this is the string "#
                            + #"\#(counter.excerpt)"#, at: counter, severity: .warning)
                ]
                : []
        })
}
