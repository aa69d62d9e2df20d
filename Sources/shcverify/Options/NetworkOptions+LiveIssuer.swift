import IssuerNetwork
import SMARTHealthCards

extension NetworkOptions {
    /// Asks a live issuer for all that `lint --issuer` looks at. The cache has no part in it.
    ///
    /// - Parameter issuer: the URL as it was given; what is wrong with it is a finding.
    /// - Returns: what `Linter.add(_:)` takes. Where nothing can be asked it says why, which is a finding too.
    /// - Throws: `InstallationFault` if nobody can be asked.
    func answers(of issuer: Issuer) async throws -> PublishedIssuer {
        guard !offline else {
            return PublishedIssuer(unasked: issuer, because: "offline nothing is fetched")
        }
        return try await IssuerProbe(transport: FetchProcess.installed, limits: limits()).answers(of: issuer)
    }
}
