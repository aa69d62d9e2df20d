extension Rule {
    static let qrScheme = Rule(
        "invalid-numeric-qr-header", "scheme", .c2,
        requirement: "The text of a card's QR code begins with \"shc:/\".",
        remedy: "Begin with the byte segment \"shc:/\", then the numeric segment.",
        check: .qrCode { code in
            code.hasScheme ? [] : [Problem("the text does not begin with \"shc:/\"", offset: 0)]
        })
}
