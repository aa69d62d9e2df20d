extension Duration {
    /// The longest time that is counted in milliseconds: a day.
    package static let longest = Duration.seconds(86_400)

    /// The duration in whole milliseconds, rounded up. The most is `longest`.
    package var milliseconds: Int {
        let (seconds, attoseconds) = min(self, .longest).components
        let perMillisecond: Int64 = 1_000_000_000_000_000
        return Int(seconds) * 1000 + Int((attoseconds + perMillisecond - 1) / perMillisecond)
    }

    /// The duration in words, to a thousandth of a second: `10 seconds`, `1 second`, `0.5 seconds`.
    package var inSeconds: String {
        let milliseconds = milliseconds
        var fraction = String(1000 + milliseconds % 1000).dropFirst()
        while fraction.last == "0" { fraction.removeLast() }
        let number = "\(milliseconds / 1000)\(fraction.isEmpty ? "" : ".")\(fraction)"
        return "\(number) \(milliseconds == 1000 ? "second" : "seconds")"
    }
}
