/// The moments for which something holds that was concluded for one of them.
struct ValiditySpan: Sendable {
    /// The first of them; nil if it held at all times before.
    private var begin: NumericDate?
    /// The first moment after them; nil if it holds for ever.
    private var end: NumericDate?

    func contains(_ moment: NumericDate) -> Bool {
        if let begin, moment < begin { return false }
        if let end, moment >= end { return false }
        return true
    }

    /// Keeps what lies between turning points.
    ///
    /// - Parameters:
    ///   - turns: moments from which something else may hold than before.
    ///   - now: the moment that it was concluded for.
    mutating func narrow(to turns: some Sequence<NumericDate>, around now: NumericDate) {
        for turn in turns {
            if turn <= now {
                begin = begin.map { max($0, turn) } ?? turn
            } else {
                end = end.map { min($0, turn) } ?? turn
            }
        }
    }

    /// Keeps the moments for which both hold.
    mutating func formIntersection(_ other: ValiditySpan) {
        if let begin = other.begin { self.begin = self.begin.map { max($0, begin) } ?? begin }
        if let end = other.end { self.end = self.end.map { min($0, end) } ?? end }
    }
}
