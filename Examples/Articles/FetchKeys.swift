import Credentials
import HTTPSFetch
import IssuerNetwork
import SMARTHealthCards

/// Fetches what issuers publish. A program has one of these, and uses it for all cards.
func makeClient(cacheDirectory: String) -> IssuerClient {
    IssuerClient(
        transport: FetchProcess.installed, limits: IssuerClient.Limits(timeout: .seconds(10)),
        cache: IssuerCache(directory: cacheDirectory))
}

/// The verdict on a card, after everything that it needs was fetched.
func verdict(
    on card: PresentedCredential, by policy: CardPolicy, from client: IssuerClient
) async throws -> Verdict? {
    var policy = policy
    // A policy that trusts nobody in particular must not let a card of any issuer pass.
    policy.requiresTrust = true
    let verifier = try CardVerifier(policy: policy)
    let examined = verifier.examine(card)
    var evidence = Evidence()
    // The keys, a revocation list, and both again if they were too old.
    for _ in 0..<4 {
        switch verifier.verify(examined, with: evidence) {
        case .verdict(let verdict): return verdict
        case .needs(let request): try await client.answer([request], in: &evidence)
        }
    }
    return nil
}
