import IssuerNetwork

extension NetworkOptions {
    /// Where the verifier's questions are to be answered from.
    var evidenceSource: any EvidenceSource {
        if offline { return OfflineSource() }
        guard let executable = FetchProcess.findExecutable() else { return OfflineSource(.noFetchProcess) }
        return IssuerClient(
            transport: FetchProcess(executable: executable),
            limits: IssuerClient.Limits(
                timeout: .seconds(timeout), allowsPrivateNetwork: allowPrivateNetwork,
                certificateAuthorityFile: caFile))
    }
}
