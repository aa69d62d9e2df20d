import Credentials
package import IssuerNetwork
package import SMARTHealthCards
import StrictJSON

/// Checks the attestations of patients' apps in the FHIR files of links. What it finds changes no verdict.
package struct AttestationJudge {
    private let policy: CardPolicy
    private let source: () throws -> any EvidenceSource
    private var evidence = Evidence()

    /// - Parameters:
    ///   - policy: the listed apps, the given keys, and what is known against keys. Keys of other apps are never requested.
    ///   - source: makes what fetches keys. It is called only if keys of a listed app must be fetched.
    package init(policy: CardPolicy, source: @escaping () throws -> any EvidenceSource) {
        self.policy = policy
        self.source = source
    }

    /// What is known of the attestation in a file; nil if there is none.
    ///
    /// - Throws: `InstallationFault` if keys must be fetched and the installation cannot fetch. What the closure throws.
    nonisolated(nonsending) mutating func report(onFile content: [UInt8]) async throws -> AttestationReport? {
        guard let bundle = try? JSONDocument.parse(content, maximumDepth: Bounds.nesting),
            let attestation = AppAttestation(ofBundle: bundle, at: policy.now)
        else { return nil }
        while true {
            do throws(EvidenceNeeded) {
                let finding = try attestation.finding(by: policy, evidence: evidence)
                return attestation.report(finding)
            } catch {
                let request = error.request
                try await source().answer([request], in: &evidence)
                // A source that does not answer must not be asked for ever.
                if !evidence.holds(request), !evidence.holds(request.kept) {
                    evidence.refuse(
                        request, because: VerificationFailure(.keysUnavailable, "the keys of the app were not fetched"))
                }
            }
        }
    }
}
