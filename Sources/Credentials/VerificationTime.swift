/// The moment as of which credentials are verified, and that at which it is done.
public struct VerificationTime: Sendable, Equatable {
    /// The time for which credentials are verified.
    public enum Moment: Sendable, Equatable {
        /// Now.
        case now
        /// As of a given time.
        case given(NumericDate)
        /// Each as of its own issue: `nbf` of a card, `iat` of a certificate.
        case issue
    }

    /// The time for which credentials are verified.
    public let moment: Moment
    /// The time by the real clock, at which the verification is made.
    public let madeAt: NumericDate

    /// - Parameters:
    ///   - moment: the time for which credentials are verified.
    ///   - madeAt: the time by the real clock.
    public init(_ moment: Moment = .now, madeAt: NumericDate) {
        self.moment = moment
        self.madeAt = madeAt
    }

    /// The moment for all credentials; nil if each has its own.
    public var common: NumericDate? {
        switch moment {
        case .now: madeAt
        case .given(let time): time
        case .issue: nil
        }
    }

    /// The moment for a credential.
    ///
    /// A credential with an issue in the future has not been issued, so it is judged by the clock, and so is one without a readable
    /// date.
    ///
    /// - Parameter claims: the claims of the credential; nil if they could not be read.
    public func moment(for claims: (any Claims)?) -> NumericDate {
        common ?? claims?.issued.map { min($0, madeAt) } ?? madeAt
    }

    /// The moment for a credential if it is not now; nil if it is. A credential with an issue in the future is judged by the clock.
    ///
    /// - Parameter claims: the claims of the credential; nil if they could not be read.
    package func statedMoment(for claims: (any Claims)?) -> NumericDate? {
        switch moment {
        case .now: return nil
        case .given(let time): return time
        case .issue:
            let own = moment(for: claims)
            return own < madeAt ? own : nil
        }
    }
}
