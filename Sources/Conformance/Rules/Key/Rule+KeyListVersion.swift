import JOSE
import JSON
import SMARTHealthCards

extension Rule {
    /// Verifiers read a string of digits all the same.
    static let keyListVersion = Rule(
        "invalid-key-schema", "crl-version", .r4,
        requirement: "\"crlVersion\" of a key is a number: the counter of its revocation list.",
        remedy: "Write \"crlVersion\": 1, without quotation marks, and the same number as \"ctr\" in the list.",
        check: .key { key in
            guard key.isForCards else { return [] }
            guard let version = key.value["crlVersion"] else {
                return key.value["ctr"].map {
                    [
                        Problem(
                            #"the key has "ctr", which is a member of revocation lists; in a key it is "#
                                + #""crlVersion""#, at: $0,
                            severity: .warning)
                    ]
                } ?? []
            }
            guard RevocationCounter(version) != nil else {
                return [Problem(#""crlVersion" is not a whole number but \#(version.excerpt)"#, at: version)]
            }
            return version.kind == .string
                ? [
                    Problem(
                        #""crlVersion" is a number, this is the string "#
                            + #"\#(version.excerpt)"#, at: version, severity: .warning)
                ]
                : []
        })
}
