extension Duration {
    /// The duration in whole milliseconds, rounded up; at most a day, which is as good as any longer time.
    package var milliseconds: Int {
        let day = Duration.seconds(86_400)
        let (seconds, attoseconds) = (self > day ? day : self).components
        let perMillisecond: Int64 = 1_000_000_000_000_000
        return Int(seconds) * 1000 + Int((attoseconds + perMillisecond - 1) / perMillisecond)
    }

    /// The duration in words, to a thousandth of a second: `10 seconds`, `1 second`, `0.5 seconds`.
    package var inSeconds: String {
        let milliseconds = milliseconds
        let fraction = String(1000 + milliseconds % 1000).dropFirst()
        let digits = fraction.prefix { _ in true }.reversed().drop { $0 == "0" }.reversed()
        let number = String(milliseconds / 1000) + (digits.isEmpty ? "" : "." + String(digits))
        return number + (milliseconds == 1000 ? " second" : " seconds")
    }
}
