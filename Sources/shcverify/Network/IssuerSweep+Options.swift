import Evidence

extension IssuerSweep {
    /// - Parameters:
    ///   - options: the time, the number of issuers at a time, and the network.
    ///   - triesTLS: whether to find out which versions of TLS the servers accept.
    ///   - listSize: the size of all revocation lists of an issuer together, in bytes.
    init(_ options: SweepOptions, triesTLS: Bool, listSize: Int) throws {
        let requests = Requests(options.network)
        self.init(
            jobs: options.jobs, limit: .seconds(options.timeLimit), limits: try requests.limits(),
            transport: requests.transport(), triesTLS: triesTLS, listSize: listSize)
    }
}
