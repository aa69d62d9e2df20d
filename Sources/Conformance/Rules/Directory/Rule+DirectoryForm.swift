import JOSE
import JSON
import SMARTHealthCards

extension Rule {
    /// What else stands in it is nobody's business.
    static let directoryForm = Rule(
        "directory-error", "form", .d1,
        requirement: "A directory has its issuers in the array \"participating_issuers\", a snapshot in "
            + "\"issuerInfo\".",
        remedy: "Publish {\"participating_issuers\": [{\"iss\": \"https://…\", \"name\": \"…\"}, …]}.",
        check: .directory { directory in
            guard directory.value.kind == .object else {
                return [Problem("the directory is not an object but \(directory.value.excerpt)", at: directory.value)]
            }
            let name = directory.isSnapshot ? "issuerInfo" : "participating_issuers"
            guard let list = directory.value[name] else {
                return [
                    Problem(
                        #"the directory has neither "participating_issuers" nor "issuerInfo""#, at: directory.value,
                        member: name)
                ]
            }
            guard let elements = list.elements else {
                return [Problem(#""\#(name)" is not an array but \#(list.excerpt)"#, at: list)]
            }
            guard elements.count > 0 else { return [Problem("the directory has no issuers", at: list)] }
            return elements.lazy.filter { $0.kind != .object }.prefix(Bounds.problems)
                .map { Problem("an element is an object, this is \($0.excerpt)", at: $0) }
        })
}
