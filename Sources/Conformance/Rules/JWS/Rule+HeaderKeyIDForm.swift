import JOSE
import JSON
import SMARTHealthCards

extension Rule {
    static let headerKeyIDForm = Rule(
        "jws-header-error", "kid-form", .k2,
        requirement: "The \"kid\" is the base64url SHA-256 thumbprint of the key, so 43 characters of that alphabet.",
        remedy: "Compute the thumbprint as RFC 7638 says, in base64url without padding.",
        check: .header { header in
            guard let found = header.value?["kid"], let text = found.stringBytes, !text.isEmpty else { return [] }
            let isThumbprint = text.count == 43 && RevocationID.isInAlphabet(text)
            return isThumbprint ? [] : [Problem("this is no thumbprint: \(found.excerpt)", at: found)]
        })
}
