import Inputs

extension Rule {
    static let deepLinkAddress = Rule("schema-error/deep-link-address", RuleCheck.deepLink) { link in
        let scheme = "https://".utf8
        let begin = link.content.address.prefix(scheme.count).map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        return begin.elementsEqual(scheme) ? [] : .found("the deep link does not begin with https://", offset: 0)
    }

    static let deepLinkFragment = Rule("schema-error/deep-link-fragment", RuleCheck.deepLink) { link in
        guard let fragment = link.content.fragment, !fragment.isEmpty else {
            return .found("the deep link has no fragment")
        }
        switch link.content.lintedFile {
        case nil: return .found("the deep link has no fragment")
        case .failure(.percentEncoding)?:
            return .found(
                #"the fragment of the deep link has a "%" that is not followed by two hexadecimal digits"#,
                offset: fragment.startIndex)
        case .failure(let defect)?:
            return .found(
                "the fragment of the deep link is not acceptable JSON: \(defect)", offset: fragment.startIndex)
        case .success: return []
        }
    }

    static let deepLinkEncoding = Rule("schema-error/deep-link-encoding", RuleCheck.deepLink) { link in
        guard let fragment = link.content.fragment, !link.content.isEncoded,
            let raw = fragment.firstIndex(where: { $0 <= 0x20 || $0 >= 0x7F || "\"#<>[\\]^`{|}".utf8.contains($0) })
        else { return [] }
        return .found("the fragment of the deep link is not percent-encoded", offset: raw)
    }
}
