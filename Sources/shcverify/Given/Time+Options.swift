import Credentials

extension NumericDate {
    /// The time of `--at`, or the current time if the clock can be right.
    ///
    /// - Throws: if the clock is wrong, after a line on standard error.
    init(at given: NumericDate?) throws {
        if given == nil { try MachineClock.requireRight() }
        self = given ?? .now
    }
}

extension VerificationTime {
    /// As of when cards are verified, by the clock of this machine.
    ///
    /// - Parameter given: the value of `--at`.
    /// - Throws: if the clock matters and is wrong, after a line on standard error.
    init(at given: Moment?) throws {
        let moment = given ?? .now
        switch moment {
        case .given: break
        // Who has given "issued" gave a time already.
        case .now, .issue: try MachineClock.requireRight(takesTime: moment == .now)
        }
        self.init(moment, madeAt: .now)
    }
}
