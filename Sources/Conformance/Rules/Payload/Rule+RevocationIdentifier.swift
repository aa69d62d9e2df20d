import JOSE
import JSON
import SMARTHealthCards

extension Rule {
    static let revocationIdentifier = Rule(
        "schema-error", "rid", .r1,
        requirement: "\"vc.rid\", where there is one, is a string of at most 24 characters of the base64url alphabet.",
        remedy: "Use the base64url of the first 64 bits of an HMAC-SHA-256, as the specification recommends.",
        check: .payload { payload in
            guard let rid = payload.value?["vc"]?["rid"] else { return [] }
            guard let text = rid.stringBytes else {
                return [Problem("this is of type \(rid.kind.rawValue), not a string", at: rid)]
            }
            return RevocationID.isWellFormed(text)
                ? [] : [Problem("this is no identifier of 1 to 24 such characters: \(rid.excerpt)", at: rid)]
        })
}
