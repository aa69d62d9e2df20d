import JOSE
import JSON

extension Rule {
    static let headerKeyID = Rule(
        "jws-header-error", "kid", .j1,
        requirement: "The header has a \"kid\", a string, which names the key.",
        remedy: "Put the key's thumbprint there (RFC 7638), the same as in the published key set.",
        check: .header { header in
            guard let value = header.value, value.kind == .object else { return [] }
            guard let found = value["kid"] else {
                return [Problem("there is no such member", at: value, member: "kid")]
            }
            guard let text = found.stringBytes else { return [Problem("this is \(found.excerpt)", at: found)] }
            return text.isEmpty ? [Problem("this is empty", at: found)] : []
        })
}
