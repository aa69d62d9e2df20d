extension Rule {
    static let qrDigits = Rule(
        "invalid-numeric-qr", "digits", .c2,
        requirement: "Each character of the JWS is two digits: its code less 45, so 00 to 77.",
        remedy: "Encode each character as two digits, with a leading zero where the number is below 10.",
        check: .qrCode { code in
            guard code.hasScheme else { return [] }
            guard !code.digits.isEmpty else { return [Problem("there are no digits after the prefix")] }
            guard let bad = code.firstBadPair else { return [] }
            let isDigit = { (byte: UInt8) in (0x30...0x39).contains(byte) }
            let digits = code.document.text[bad...].prefix(2)
            guard digits.allSatisfy(isDigit) else {
                return [Problem("there is something else than digits", offset: bad)]
            }
            // One that was lost on the way spoils all pairs after it, of which some may stand for characters all the same.
            guard code.digits.count.isMultiple(of: 2) || !code.digits.allSatisfy(isDigit) else {
                return [
                    Problem(
                        "the number of digits is odd: \(code.digits.count); one is missing or too many, here or before",
                        offset: bad)
                ]
            }
            return [Problem("no character is written \(String(decoding: digits, as: UTF8.self))", offset: bad)]
        })
}
