import SMARTHealthCards

extension Rule {
    static let jwsLength = Rule(
        "jws-too-long", "single-code", .c3, severity: .warning,
        requirement: "A JWS that is to fit a single QR code has at most 1195 characters.",
        remedy: "Leave out what the Bundle does not need, or offer the card as a file only.",
        check: .jws { jws in
            let count = jws.document.text.count
            return count > Bounds.singleQRLength
                ? [Problem("the JWS has \(count) characters, so no single QR code holds it")] : []
        })
}
