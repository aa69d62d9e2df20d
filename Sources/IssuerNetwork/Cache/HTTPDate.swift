internal import SMARTHealthCards

/// The dates of HTTP (RFC 9110 §5.6.7).
enum HTTPDate {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// The moment that a date in the form every server has to send stands for: `Sun, 06 Nov 1994 08:49:37 GMT`.
    ///
    /// - Returns: nil for anything else, the two obsolete forms included. An `Expires` that cannot be read counts as
    ///   passed, which is what RFC 9111 §5.3 asks for.
    static func parse(_ text: String) -> NumericDate? {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 6, parts[5] == "GMT", let month = months.firstIndex(where: { $0 == parts[2] }) else {
            return nil
        }
        return NumericDate(text: "\(parts[3])-\(month < 9 ? "0" : "")\(month + 1)-\(parts[1])T\(parts[4])Z")
    }
}
