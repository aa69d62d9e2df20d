package import Credentials
import Encodings
package import Evidence
package import SMARTHealthCards

/// Checks the attestations of patients' apps in the FHIR files of links. What it finds changes no verdict.
package struct AttestationJudge: AttestationReporter {
    private let policy: CardPolicy
    private let store: () throws -> EvidenceStore
    private let deadline: ContinuousClock.Instant?
    private var caller: EvidenceStore.Caller?

    /// - Parameters:
    ///   - policy: the listed apps, the given keys, and what is known against keys. Keys of other apps are never requested.
    ///   - deadline: when it no longer waits for keys; nil to wait for as long as requests take.
    ///   - store: makes what fetches keys. It is called only if there is an attestation.
    package init(
        policy: CardPolicy, until deadline: ContinuousClock.Instant? = nil, store: @escaping () throws -> EvidenceStore
    ) {
        self.policy = policy
        self.deadline = deadline
        self.store = store
    }

    /// What is known of the attestation in a file; nil if there is none.
    ///
    /// - Throws: `InstallationFault` if keys must be fetched and the installation cannot fetch. What the closure throws.
    package nonisolated(nonsending) mutating func report(onFile content: [UInt8]) async throws -> AttestationReport? {
        guard let bundle = try? JSONDocument.parse(content, maximumDepth: Bounds.nesting),
            let attestation = AppAttestation(ofBundle: bundle, at: policy.now)
        else { return nil }
        let store = try store()
        var caller = caller ?? store.caller(until: deadline)
        defer { self.caller = caller }
        var report: AttestationReport?
        try await store.judge(by: &caller) { evidence in
            do throws(EvidenceNeeded) {
                report = attestation.report(try attestation.finding(by: policy, evidence: evidence))
                return []
            } catch {
                return [error.request]
            }
        }
        return report
    }
}
