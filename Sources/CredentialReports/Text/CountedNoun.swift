extension Int {
    /// The number with a noun: `1 card`, `2 cards`.
    func counted(_ noun: String) -> String { self == 1 ? "1 \(noun)" : "\(self) \(noun)s" }
}
