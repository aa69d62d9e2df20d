public import SMARTHealthCards

/// The source that never touches the network: it has nothing, and says why.
public struct OfflineSource: EvidenceSource {
    /// Why nothing is fetched.
    public enum Cause: Sendable {
        /// It was not wanted.
        case wanted
        /// `shcverify-fetch` is not where it belongs.
        case noFetchProcess
    }

    private let cause: Cause

    public init(_ cause: Cause = .wanted) {
        self.cause = cause
    }

    public func keys(of issuer: Issuer, current: Bool) async -> Result<Evidence.Keys, VerificationFailure> {
        .failure(VerificationFailure(.keysUnavailable, "no keys of this issuer were given, and \(excuse)"))
    }

    public func revocationList(
        _ name: RevocationListName, atLeast counter: RevocationCounter?
    ) async -> Result<RevocationList, VerificationFailure> {
        .failure(
            VerificationFailure(
                .revocationUnavailable,
                "the issuer's key has a revocation list, which was not given, and \(excuse)"))
    }

    private var excuse: String {
        switch cause {
        case .wanted: "offline none can be fetched"
        case .noFetchProcess:
            "the program that fetches, shcverify-fetch, is neither beside this one nor in ../libexec/shcverify"
        }
    }
}
