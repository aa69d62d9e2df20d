extension Rule {
    static let qrSinglePart = Rule(
        "invalid-numeric-qr-header", "single-part", .c3, severity: .warning,
        requirement: "A card in a single QR code has no part number.",
        remedy: "Write \"shc:/\" in place of \"shc:/1/1/\".",
        check: .qrCode { code in
            code.part?.count == 1 ? [Problem("the code says that it is part 1 of 1", offset: 5)] : []
        })
}
