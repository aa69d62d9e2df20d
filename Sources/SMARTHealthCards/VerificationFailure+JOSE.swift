import JOSE

extension VerificationFailure {
    /// The failure that a JWS of the wrong form is.
    init(_ error: JWSError) {
        switch error.reason {
        case .malformed: self.init(.malformedJWS, error.message)
        case .unsupportedAlgorithm: self.init(.unsupportedAlgorithm, error.message)
        case .unsupportedCompression: self.init(.unsupportedCompression, error.message)
        }
    }
}
