extension Rule {
    static let deepLinkFragment = Rule(
        "schema-error", "deep-link-fragment", .c4,
        requirement: "The fragment of a deep link is the card file's JSON, percent-encoded.",
        remedy: "Append \"#\" and the percent-encoded JSON of the card file.",
        check: .deepLink { link in
            guard let fragment = link.fragment, !fragment.isEmpty else { return [Problem("the link has no fragment")] }
            switch link.file {
            case nil:
                return [Problem("the fragment has a \"%\" without two hexadecimal digits", offset: fragment.startIndex)]
            case .failure(let error): return [Problem("the fragment is no JSON: \(error)", offset: fragment.startIndex)]
            case .success: return []
            }
        })
}
