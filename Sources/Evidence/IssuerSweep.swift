package import Credentials
package import Directories
package import HTTPSFetch

/// Asks the issuers of a directory, several at a time, until the time is used up.
package struct IssuerSweep: Sendable {
    private let jobs: Int
    private let limit: Duration
    private let limits: IssuerClient.Limits
    private let transport: any Transport
    private let triesTLS: Bool
    private let listSize: Int

    /// - Parameters:
    ///   - jobs: the most issuers that are asked at the same time.
    ///   - limit: the time for all issuers together.
    ///   - limits: the limits on requests to one issuer.
    ///   - transport: makes the requests.
    ///   - triesTLS: whether to find out which versions of TLS the servers accept.
    ///   - listSize: the size of all revocation lists of an issuer together, in bytes.
    package init(
        jobs: Int, limit: Duration, limits: IssuerClient.Limits, transport: any Transport, triesTLS: Bool, listSize: Int
    ) {
        self.jobs = jobs
        self.limit = limit
        self.limits = limits
        self.transport = transport
        self.triesTLS = triesTLS
        self.listSize = listSize
    }

    /// Asks issuers.
    ///
    /// - Parameters:
    ///   - issuers: the issuers.
    ///   - progress: is told how many issuers have answered.
    ///   - judge: turns the answers of one issuer into what is kept of it. It is called on several threads at once.
    /// - Returns: the results in the order of the issuers; nil for those that were not asked, because the time was used up.
    /// - Throws: `InstallationFault` if nothing can be fetched at all, or an error of `judge`.
    package func results<Result: Sendable>(
        of issuers: [Issuer], showing progress: some SweepProgress,
        judge: @escaping @Sendable (Int, PublishedIssuer) throws -> Result
    ) async throws -> [Result?] {
        let deadline = ContinuousClock.now + limit
        var results = [Result?](repeating: nil, count: issuers.count)
        var progress = progress
        defer { progress.end() }
        try await withThrowingTaskGroup(of: (Int, Result?).self) { group in
            var next = 0
            var running = 0
            while true {
                while running < jobs, next < issuers.count, ContinuousClock.now < deadline {
                    let (place, issuer) = (next, issuers[next])
                    next += 1
                    running += 1
                    group.addTask {
                        let answers = try await answers(of: issuer, until: deadline)
                        return (place, try answers.map { try judge(place, $0) })
                    }
                }
                guard let (place, result) = try await group.next() else { return }
                running -= 1
                results[place] = result
                progress.advance()
            }
        }
        return results
    }

    /// - Returns: nil if the issuer had less time than one has, and used it up. Its silence says nothing about it.
    private func answers(of issuer: Issuer, until deadline: ContinuousClock.Instant) async throws -> PublishedIssuer? {
        var limits = limits
        let left = ContinuousClock.now.duration(to: deadline)
        guard left > .zero else { return nil }
        limits.timeout = min(limits.timeout, left)
        let probe = IssuerProbe(
            transport: transport, limits: limits, triesTLS: triesTLS, listSize: listSize)
        let answers = try await probe.answers(of: issuer)
        return limits.timeout < self.limits.timeout && ContinuousClock.now >= deadline ? nil : answers
    }
}

/// Shows how many of the issuers of a sweep have answered.
package protocol SweepProgress {
    /// One more issuer has answered, or was asked in vain.
    mutating func advance()
    /// The sweep is over.
    func end()
}
