extension Rule {
    static let deepLinkEncoding = Rule(
        "schema-error", "deep-link-encoding", .rfc(3986, "3.5"), severity: .warning,
        requirement: "What no fragment may contain, such as \"{\", \"[\" and quotation marks, is percent-encoded.",
        remedy: "Percent-encode the JSON; some apps cut a raw fragment off.",
        check: .deepLink { link in
            guard let fragment = link.fragment, !link.isEncoded,
                let raw = fragment.firstIndex(where: { $0 <= 0x20 || $0 >= 0x7F || "\"#<>[\\]^`{|}".utf8.contains($0) })
            else { return [] }
            return [Problem("the fragment is not percent-encoded", offset: raw)]
        })
}
