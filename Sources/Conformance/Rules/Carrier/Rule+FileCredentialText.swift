import JSON

extension Rule {
    static let fileCredentialText = Rule(
        "schema-error", "file-credential-text", .c1,
        requirement: "Each element of \"verifiableCredential\" is a string that holds a JWS.",
        remedy: "Put the compact JWS there, as a string.",
        check: .file { file in
            (file.value["verifiableCredential"]?.elements.map { Array($0) } ?? []).compactMap { element in
                element.kind == .string
                    ? nil : Problem("this is of type \(element.kind.rawValue), not a string", at: element)
            }
        })
}
