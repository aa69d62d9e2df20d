import SMARTHealthCards

extension Rule {
    static let qrNeedlessChunks = Rule(
        "invalid-qr", "needless-chunks", .c3, severity: .warning,
        requirement: "Only a JWS of more than 1195 characters is split.",
        remedy: "Put the card into a single QR code.",
        check: .qrSet { set in
            guard set.conflicts.isEmpty, let jws = set.jws, jws.count <= Bounds.singleQRLength else { return [] }
            return [Problem("the JWS has \(jws.count) characters and is split over \(set.count) QR codes")]
        })
}
