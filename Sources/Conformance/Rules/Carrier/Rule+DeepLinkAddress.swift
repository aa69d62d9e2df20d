extension Rule {
    static let deepLinkAddress = Rule(
        "schema-error", "deep-link-address", .c4,
        requirement: "A deep link is an https URL.",
        remedy: "Use an https URL of the app's associated domain.",
        check: .deepLink { link in
            let scheme = "https://".utf8
            let begin = link.address.prefix(scheme.count).map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
            return begin.elementsEqual(scheme) ? [] : [Problem("the link does not begin with https://", offset: 0)]
        })
}
