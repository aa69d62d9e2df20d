import JSON
import SMARTHealthCards

extension Rule {
    static let issuerURL = Rule(
        "invalid-issuer-url", "iss", .k5,
        requirement:
            "\"iss\" is an https URL without a trailing slash, query or fragment, to which /.well-known/jwks.json "
            + "can be appended.",
        remedy: "Write the URL as the directory lists it: https, no slash at the end.",
        check: .payload { payload in
            guard let value = payload.value?["iss"], let url = value.string else { return [] }
            do throws(VerificationFailure) {
                _ = try Issuer(url)
                return []
            } catch {
                return [Problem(error.message, at: value)]
            }
        })
}
