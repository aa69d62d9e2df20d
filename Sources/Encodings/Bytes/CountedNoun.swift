extension Int {
    /// The number with a noun: `1 card`, `2 cards`.
    ///
    /// - Parameter plural: the noun for all numbers but 1, if it is not the noun with an s; or the noun with what follows it, such as
    ///   `1 issuer is`, `2 issuers are`.
    package func counted(_ noun: String, _ plural: String? = nil) -> String {
        self == 1 ? "1 \(noun)" : "\(self) \(plural ?? noun + "s")"
    }
}
