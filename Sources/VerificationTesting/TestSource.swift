public import Containers
public import Credentials
package import Evidence
package import HTTPSFetch
package import SMARTHealthCards
public import Verification

/// Answers a `Verifier` with what the issuers of a test publish, in the place of an `IssuerClient`. Nothing is fetched.
///
///     let verifier = try Verifier(policy, source: TestSource([issuer]))
///
/// An issuer that is not among them is a server that does not answer: its cards are `undetermined`.
public struct TestSource: Sendable {
    private let issuers: [Issuer: TestCardIssuer]

    /// - Parameter issuers: whose keys and lists there are. The last of several with one URL counts.
    public init(_ issuers: [TestCardIssuer]) {
        self.issuers = Dictionary(issuers.map { ($0.issuer, $0) }) { $1 }
    }
}

extension TestSource: EvidenceSource {
    package func keys(of issuer: Issuer, current: Bool) async throws(InstallationFault) -> Answered<IssuerKeys> {
        guard let known = issuers[issuer] else {
            return unavailable(.keysUnavailable, "\(issuer.url) does not answer: no issuer of this test has this URL")
        }
        return Answered(.success(IssuerKeys(known.keySet, origin: .network)), lifetime)
    }

    package func revocationList(
        _ name: RevocationListName, atLeast counter: RevocationCounter?
    ) async throws(InstallationFault) -> Answered<RevocationList> {
        guard let known = issuers[name.issuer], known.keyID == name.keyID else {
            return unavailable(
                .revocationUnavailable, "\(name.url) does not answer: no issuer of this test has this list")
        }
        return Answered(.success(known.revocationList), lifetime)
    }

    private func unavailable<Content>(_ code: ReasonCode, _ message: String) -> Answered<Content> {
        Answered(.failure(VerificationFailure(code, message)), lifetime)
    }

    /// Ten minutes: longer than a test.
    private var lifetime: AnswerLifetime {
        let now = NumericDate.now
        return AnswerLifetime(from: now, to: NumericDate(sinceEpoch: now.sinceEpoch + .seconds(600)))
    }
}

extension Verifier {
    /// Makes a verifier that fetches nothing: what the issuers of a test publish is all there is.
    public convenience init(
        _ policy: VerificationPolicy, source: TestSource, scanner: DocumentScanner? = nil, links: LinkClient? = nil,
        limits: Limits = Limits()
    ) throws(OutOfMemory) {
        let source: any EvidenceSource = source
        try self.init(policy, source: source, scanner: scanner, links: links, limits: limits)
    }
}
