import Credentials
import FHIR
import Foundation
import HTTPSFetch
import HealthCertificates
import Inputs
import IssuerNetwork
import Reports
import SMARTHealthCards

/// Verifies the cards in the body of a request.
///
/// A verifier belongs to one thread, so each request has verifiers of its own. The source of evidence is shared: what it has
/// fetched for one request serves the others while it is fresh.
struct VerificationDesk: Sendable {
    /// The largest size of all inflated payloads of a request together, in bytes, for each kind of credential.
    static let totalPayloadSize = 4 << 20
    /// How often a card may ask for evidence: keys, then a revocation list, then both again if they were too old.
    static let maximumRounds = 4

    /// The issuers that are trusted.
    var trustedIssuers = TrustedIssuers()
    /// Keys that need not be fetched.
    var givenKeys = GivenKeys()
    /// The signers of EU certificates that are trusted.
    var signers = TrustedSigners()
    /// Fetches what issuers publish.
    let source: any EvidenceSource

    init(source: any EvidenceSource) { self.source = source }

    /// The verdicts on all cards in an input, as JSON.
    ///
    /// - Throws: `InstallationFault` if nothing can be fetched at all.
    func report(on input: [UInt8]) async throws -> [UInt8] {
        let now = NumericDate(sinceEpoch: .seconds(Date().timeIntervalSince1970))
        var reader = CredentialReader()
        reader.add(input, source: "request")
        let credentials = reader.cards()
        let verdicts = try certificateVerdicts(on: credentials, now: now)
            .merging(try await cardVerdicts(on: credentials, now: now)) { _, card in card }
        guard verdicts.count == credentials.count else { throw InstallationFault("a credential has no verdict") }
        let report = VerdictFormat.json.report(
            now: now, names: .builtIn, to: Destination(), by: Tool(name: "verify-server", version: "1"))
        return report.text(of: credentials.indices.compactMap { verdicts[$0] })
    }

    /// The verdicts on EU certificates, by their places among all credentials. Nothing is fetched for them.
    private func certificateVerdicts(on credentials: [PresentedCredential], now: NumericDate) throws -> [Int: Verdict] {
        var policy = HCERTPolicy(now: now)
        policy.signers = signers
        // A published private key counts for both kinds of credential.
        policy.burntElsewhere = cardPolicy(now: now).burntKeys
        let verifier = try HCERTVerifier(policy: policy, totalPayloadSize: Self.totalPayloadSize)
        var verdicts: [Int: Verdict] = [:]
        for (place, credential) in credentials.enumerated() where credential.kind == .healthCertificate {
            verdicts[place] = verifier.verify(verifier.examine(credential))
        }
        return verdicts
    }

    /// The rules for SMART Health Cards.
    private func cardPolicy(now: NumericDate) -> VerificationPolicy {
        var policy = VerificationPolicy(now: now)
        policy.trustedIssuers = trustedIssuers
        policy.givenKeys = givenKeys
        policy.burntElsewhere = signers.burntKeys
        return policy
    }

    /// The verdicts on SMART Health Cards, by their places among all credentials.
    private func cardVerdicts(on credentials: [PresentedCredential], now: NumericDate) async throws -> [Int: Verdict] {
        let verifier = try Verifier(policy: cardPolicy(now: now), totalPayloadSize: Self.totalPayloadSize)
        var open = credentials.enumerated().filter { $0.element.kind == .smartHealthCard }
            .map { (place: $0.offset, card: verifier.examine($0.element)) }
        var verdicts: [Int: Verdict] = [:]
        var evidence = Evidence()
        for _ in 0..<Self.maximumRounds where !open.isEmpty {
            var requests: Set<EvidenceRequest> = []
            for (place, card) in open {
                switch verifier.verify(card, with: evidence) {
                case .verdict(let verdict): verdicts[place] = verdict
                case .needs(let request): requests.insert(request)
                }
            }
            open.removeAll { verdicts[$0.place] != nil }
            try await source.answer(Array(requests), in: &evidence)
        }
        guard open.isEmpty else { throw InstallationFault("the evidence for a card is never complete") }
        return verdicts
    }
}
