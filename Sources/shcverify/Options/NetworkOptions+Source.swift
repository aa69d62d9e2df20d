import IssuerNetwork

extension NetworkOptions {
    /// Where the verifier's questions are to be answered from. Nothing is read, written or fetched before there is one.
    var evidenceSource: any EvidenceSource {
        let limits = IssuerClient.Limits(
            timeout: .seconds(timeout), allowsPrivateNetwork: allowPrivateNetwork, certificateAuthorityFile: caFile,
            maximumStaleness: .seconds(maxStale * 86_400))
        if offline { return IssuerClient(.offline, limits: limits, cache: issuerCache) }
        return IssuerClient(transport: FetchProcess.installed, limits: limits, cache: issuerCache)
    }

    private var issuerCache: IssuerCache? {
        guard !noCache else { return nil }
        if let cache { return IssuerCache(directory: cache, makesAllParents: true) }
        return IssuerCache.standardDirectory.map { IssuerCache(directory: $0) }
    }
}
