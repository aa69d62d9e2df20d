import JOSE
import JSON
import SMARTHealthCards

extension Rule {
    static let headerCompression = Rule(
        "jws-header-error", "zip", .j1,
        requirement: "The header has \"zip\": \"DEF\".",
        remedy: "Compress the payload with raw DEFLATE, and say so in the header before it is signed.",
        check: .header { header in
            guard let value = header.value, value.kind == .object else { return [] }
            guard let found = value["zip"] else {
                return [Problem("there is no such member", at: value, member: "zip")]
            }
            return found.isString("DEF") ? [] : [Problem("this is \(found.excerpt)", at: found)]
        })
}
