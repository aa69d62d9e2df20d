import IssuerNetwork
import SMARTHealthCards

extension NetworkOptions {
    /// Asks a live issuer for all that `lint --issuer` looks at. The cache has no part in it.
    ///
    /// - Parameter issuer: the URL as it was given; what is wrong with it is a finding.
    /// - Returns: what `Linter.add(_:)` takes. Where nothing can be asked it says why, which is a finding too.
    func answers(of issuer: Issuer) async -> PublishedIssuer {
        guard !offline else {
            return PublishedIssuer(unasked: issuer, because: "offline nothing is fetched")
        }
        guard let executable = FetchProcess.findExecutable() else {
            return PublishedIssuer(
                unasked: issuer,
                because: "the program that fetches, shcverify-fetch, is neither beside this one nor in "
                    + "../libexec/shcverify", kind: .machine)
        }
        let limits = IssuerClient.Limits(
            timeout: .seconds(timeout), allowsPrivateNetwork: allowPrivateNetwork, certificateAuthorityFile: caFile)
        return await IssuerProbe(transport: FetchProcess(executable: executable), limits: limits).answers(of: issuer)
    }
}
