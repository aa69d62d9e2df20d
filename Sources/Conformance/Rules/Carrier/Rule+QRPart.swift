import SMARTHealthCards

extension Rule {
    static let qrPart = Rule(
        "invalid-numeric-qr-header", "part", .c3,
        requirement: "The digits follow \"shc:/\", or \"shc:/C/N/\" in the C-th of N QR codes.",
        remedy: "Count the parts from 1 to N, in decimal digits without leading zeros.",
        check: .qrCode { code in
            guard code.hasScheme, !code.fields.isEmpty else { return [] }
            if let part = code.part {
                guard part.count > Bounds.chunks else { return [] }
                return [
                    Problem("the code says that there are \(part.count) parts; at most \(Bounds.chunks) are", offset: 5)
                ]
            }
            return [Problem("what stands between \"shc:/\" and the digits is not C/N with C from 1 to N", offset: 5)]
        })
}
