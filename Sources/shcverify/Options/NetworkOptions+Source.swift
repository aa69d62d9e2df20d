import IssuerNetwork

extension NetworkOptions {
    /// Where the verifier's questions are to be answered from. Of all that it needs only the file of `--ca-file` is read now;
    /// nothing is written or fetched before there is a question.
    func evidenceSource() throws -> any EvidenceSource {
        let limits = try limits()
        if offline { return IssuerClient(.offline, limits: limits, cache: issuerCache) }
        ProcessSetup.makeSureOfThreads()
        return IssuerClient(transport: FetchProcess.installed, limits: limits, cache: issuerCache)
    }

    /// How issuers may be asked.
    func limits() throws -> IssuerClient.Limits {
        IssuerClient.Limits(
            timeout: .seconds(timeout), allowsPrivateNetwork: allowPrivateNetwork,
            certificateAuthorities: try caFile.map { try OptionFile.certificateAuthorities($0) },
            maximumStaleness: .seconds(maxStale * 86_400))
    }

    private var issuerCache: IssuerCache? {
        guard !noCache else { return nil }
        if let cache { return IssuerCache(directory: cache, makesAllParents: true) }
        return IssuerCache.standardDirectory.map { IssuerCache(directory: $0) }
    }
}
