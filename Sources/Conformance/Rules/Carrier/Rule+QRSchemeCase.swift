extension Rule {
    static let qrSchemeCase = Rule(
        "qr-scheme-case", "upper-case", .c2, severity: .warning,
        requirement: "The scheme \"shc:/\" is written in lower case.",
        remedy: "Write \"shc:/\" in lower case, in a byte segment.",
        check: .qrCode { code in
            guard code.hasScheme, !code.document.text.starts(with: "shc:/".utf8) else { return [] }
            return [Problem("the scheme is not written in lower case", offset: 0)]
        })
}
