extension Rule {
    static let qrChunking = Rule(
        "qr-chunking-deprecated", "chunked", .c3, severity: .warning,
        requirement: "A card fits a single QR code; splitting one over several is deprecated since version 1.3.0.",
        remedy: "Make the card smaller, offer it as a file, or use a SMART Health Link.",
        check: .qrSet { set in [Problem("the card is split over \(set.count) QR codes")] })
}
