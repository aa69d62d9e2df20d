/// What a code means, what causes it and what to do about it.
public struct Explanation: Sendable {
    /// The code.
    public let code: String
    /// What it means.
    public let meaning: String
    /// What causes it, most frequent first.
    public let causes: [String]
    /// What to do about it.
    public let remedy: String

    /// The explanation of every reason and warning code.
    public static var all: [Explanation] {
        ReasonCode.allCases.map(\.explanation) + CardWarning.Code.allCases.map(\.explanation)
    }

    /// The explanation of one code; nil if there is no such code.
    public static func of(_ code: String) -> Explanation? {
        all.first { $0.code == code }
    }
}
