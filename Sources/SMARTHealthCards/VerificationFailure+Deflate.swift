import Deflate

extension VerificationFailure {
    /// The failure that a payload is which cannot be inflated.
    init(_ error: InflateError) {
        switch error.reason {
        case .tooLarge: self.init(.payloadTooLarge, "the payload is too large: \(error)")
        default: self.init(.inflateFailed, "the payload cannot be inflated: \(error)")
        }
    }
}
