import Credentials
import Directories
import Glibc
import HTTPSFetch
import IssuerNetwork

/// Asks the issuers of a directory, several at a time, until the time is used up.
struct IssuerSweep: Sendable {
    /// The most issuers that are asked at the same time.
    let jobs: Int
    /// The time for all issuers together.
    let limit: Duration
    /// The limits on requests to one issuer.
    let limits: IssuerClient.Limits
    /// What makes the requests.
    let transport: any Transport
    /// Whether to find out which versions of TLS the servers accept.
    let triesTLS: Bool
    /// The size of all revocation lists of an issuer together, in bytes.
    let listSize: Int

    /// - Parameters:
    ///   - options: the time, the number of issuers at a time, and the network.
    ///   - triesTLS: whether to find out which versions of TLS the servers accept.
    ///   - listSize: the size of all revocation lists of an issuer together, in bytes.
    init(_ options: SweepOptions, triesTLS: Bool, listSize: Int) throws {
        let requests = Requests(options.network)
        jobs = options.jobs
        limit = .seconds(options.timeLimit)
        limits = try requests.limits()
        transport = requests.transport()
        self.triesTLS = triesTLS
        self.listSize = listSize
    }

    /// Asks issuers.
    ///
    /// - Parameters:
    ///   - issuers: the issuers.
    ///   - judge: turns the answers of one issuer into what is kept of it. It is called on several threads at once.
    /// - Returns: the results in the order of the issuers; nil for those that were not asked, because the time was used up.
    /// - Throws: `InstallationFault` if nothing can be fetched at all, or an error of `judge`.
    func results<Result: Sendable>(
        of issuers: [Issuer], judge: @escaping @Sendable (Int, PublishedIssuer) throws -> Result
    ) async throws -> [Result?] {
        let deadline = ContinuousClock.now + limit
        var results = [Result?](repeating: nil, count: issuers.count)
        var progress = RoundProgress(count: issuers.count)
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

/// A line on standard error that says how many issuers have answered. It is only shown on a terminal.
private struct RoundProgress {
    private let count: Int
    private var done = 0
    private let isShown = isatty(STDERR_FILENO) == 1

    init(count: Int) {
        self.count = count
    }

    mutating func advance() {
        done += 1
        guard isShown else { return }
        StandardStreams.warn(raw: "\r\(done) of \(count) issuers\u{1B}[K")
    }

    /// Removes the line, so that something else can be printed.
    func end() {
        if isShown { StandardStreams.warn(raw: "\r\u{1B}[K") }
    }
}
