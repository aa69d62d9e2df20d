import IssuerNetwork

extension NetworkOptions {
    /// Where the verifier's questions are to be answered from. Nothing is read, written or fetched before there is one.
    var evidenceSource: any EvidenceSource {
        let limits = IssuerClient.Limits(
            timeout: .seconds(timeout), allowsPrivateNetwork: allowPrivateNetwork, certificateAuthorityFile: caFile,
            maximumStaleness: .seconds(maxStale * 86_400))
        if offline { return IssuerClient(.offline, limits: limits, cache: issuerCache) }
        ProcessSetup.makeSureOfThreads()
        return IssuerClient(transport: FetchProcess.installed, limits: limits, cache: issuerCache)
    }

    private var issuerCache: IssuerCache? {
        guard !noCache, let directory = cache ?? IssuerCache.standardDirectory else { return nil }
        return IssuerCache(directory: directory)
    }
}
