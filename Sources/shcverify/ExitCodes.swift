import Credentials

/// The exit codes of the program, in words for its help.
enum ExitCodes {
    /// All exit codes with their words, as in `0 verified, 1 internal error or faulty installation`.
    ///
    /// The codes are those of the reasons, so that none is missing. The manual page has the words from here.
    static var list: String {
        let codes = Set(ReasonCode.allCases.map(\.exitCode)).union([0, 1, 64])
        return codes.sorted().map { "\($0) \(words(for: $0))" }.joined(separator: ", ")
    }

    private static func words(for code: Int32) -> String {
        switch code {
        case 0: "verified"
        case 1: "internal error or faulty installation"
        case 10: "malformed"
        case 12: "no usable key"
        case 13: "issuer not trusted"
        case 15: "expired"
        case 18: "link not active"
        case 19: "nothing signed"
        case 21: "revocation list unavailable"
        case 22: "passcode required or rejected"
        case 27: "nothing that can be judged"
        case 64: "usage"
        default:
            ReasonCode.allCases.filter { $0.exitCode == code }.map { $0.rawValue.replacing("-", with: " ") }
                .joined(separator: " or ")
        }
    }
}
