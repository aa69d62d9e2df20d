import JSON

extension Rule {
    static let fileCredentials = Rule(
        "schema-error", "file-credentials", .c1,
        requirement: "A card file is a JSON object whose \"verifiableCredential\" is an array of JWS, at least one.",
        remedy: "Write {\"verifiableCredential\": [\"<JWS>\"]}.",
        check: .file { file in
            guard file.value.kind == .object else {
                return [Problem("the file is a JSON \(file.value.kind.rawValue), not an object", at: file.value)]
            }
            guard let credentials = file.value["verifiableCredential"] else {
                return [Problem("there is no such member", at: file.value, member: "verifiableCredential")]
            }
            guard let elements = credentials.elements else {
                return [Problem("this is of type \(credentials.kind.rawValue), not an array", at: credentials)]
            }
            return elements.count > 0 ? [] : [Problem("the array is empty", at: credentials)]
        })
}
