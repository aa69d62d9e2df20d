import JOSE
import JSON
import SMARTHealthCards

extension Rule {
    /// Only what keeps cards from being verified: that keys of several issuers share a kid is normal, and the rest is
    /// between the issuer and those who lint its key set.
    static let snapshotKeys = Rule(
        "directory-error", "snapshot-keys", .d2,
        requirement: "A snapshot has for each issuer keys that may verify its cards, and no private ones.",
        remedy: "Retrieve the issuer's keys again; where it publishes a private half, have it withdraw the key.",
        check: .directory { directory in
            var problems: [Problem] = []
            for info in directory.infos {
                guard problems.count < Bounds.problems else { break }
                guard let list = info["keys"], let elements = list.elements else { continue }
                var hasKey = false
                for element in elements {
                    guard element.kind == .object else {
                        problems.append(Problem("a key is an object, this is \(element.excerpt)", at: element))
                        continue
                    }
                    let key = JWK(element)
                    do throws(JWKError) {
                        try key.checkForm()
                        hasKey = true
                        if key.keyID == nil {
                            problems.append(
                                Problem(#"the key has no "kid", so no card can name it"#, at: element, member: "kid"))
                        }
                    } catch {
                        guard error.reason == .privateKey || KeySubject.isForCards(element) else { continue }
                        problems.append(
                            Problem(error.message, at: element, severity: error.reason == .privateKey ? nil : .warning))
                    }
                }
                if !hasKey {
                    problems.append(
                        Problem("the issuer has no key that could verify its cards", at: list, severity: .warning))
                }
            }
            return problems
        })
}
