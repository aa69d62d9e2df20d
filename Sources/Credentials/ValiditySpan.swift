/// A range of time in which a conclusion remains true.
package struct ValiditySpan: Sendable {
    /// The first moment of the range; nil if it has no beginning.
    private var begin: NumericDate?
    /// The first moment after the range; nil if it has no end.
    private var end: NumericDate?

    /// The range of all moments.
    package init() {}

    /// Whether a moment is in the range.
    package func contains(_ moment: NumericDate) -> Bool {
        if let begin, moment < begin { return false }
        if let end, moment >= end { return false }
        return true
    }

    /// Narrows the range to the time between the last turning point before a moment and the first one after it.
    ///
    /// - Parameters:
    ///   - turns: the turning points: moments from which the conclusion may be a different one.
    ///   - now: the moment for which the conclusion was drawn.
    package mutating func narrow(to turns: some Sequence<NumericDate>, around now: NumericDate) {
        for turn in turns {
            if turn <= now {
                begin = begin.map { max($0, turn) } ?? turn
            } else {
                end = end.map { min($0, turn) } ?? turn
            }
        }
    }

    /// Narrows the range to the moments that are in both ranges.
    package mutating func formIntersection(_ other: ValiditySpan) {
        if let begin = other.begin { self.begin = self.begin.map { max($0, begin) } ?? begin }
        if let end = other.end { self.end = self.end.map { min($0, end) } ?? end }
    }
}
