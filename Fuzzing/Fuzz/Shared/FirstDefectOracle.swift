import Conformance
import Credentials
import TestSupport

/// Compares what `lint` calls errors in a credential with the reason for which `verify` refuses its form.
enum FirstDefectOracle {
    /// Requires that the first error says the same as the reason.
    static func check(_ credential: PresentedCredential, _ failure: VerificationFailure?) {
        guard let failure, case .success = credential.text,
            var linter = try? Linter(policy: LintPolicy(now: FixedPolicy.now))
        else { return }
        let rules = linter.defects(of: credential).map(\.rule.id)
        require(
            FirstDefect.isReason(rules, failure.code),
            "the first error of lint is the reason of the verdict: \(rules), \(failure.code)")
    }
}
