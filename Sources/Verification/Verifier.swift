public import Containers
public import Credentials
public import Evidence
import Inputs
import SMARTHealthCards

/// Verifies whatever a person holds: the door of the library.
///
///     var policy = VerificationPolicy()
///     policy.cards.trustedIssuers.allow(try Issuer("https://issuer.example/cards"))
///     let verifier = try Verifier(policy, source: IssuerClient(transport: FetchProcess.installed, limits: .init()))
///     for verdict in try await verifier.verify(bytes, source: "upload") { … }
///
/// An input is a file, a text, the octets of a certificate, or, if a scanner is given, a picture or PDF. Links are followed only if
/// `Verifier` was told how. All credentials in an input are judged, of every kind, in their order; there is always at least one verdict.
///
/// One verifier serves any number of callers at the same time. It verifies on a few threads of its own, so that timers and other tasks
/// of a server go on, and takes the credentials of all callers in turn. What it fetches serves all callers while it is fresh.
public final class Verifier: Sendable {
    /// What one call may take.
    public struct Limits: Sendable {
        /// How long a call may take, without waiting for a thread. What is not judged by then is `undetermined`.
        public var time = Duration.seconds(60)
        /// The size of all inflated payloads of an input together, in bytes. What is begun may be as large as any; after that,
        /// nothing is judged (`unreadable-input`).
        public var inputPayloadSize = Bounds.inputPayloadSize
        /// The number of issuers that no list names which are asked for one input. Without a list of trusted issuers, anybody can name
        /// any server in a card. All inputs of an hour together may name `Bounds.unknownIssuers`.
        public var unknownIssuers = 4
        /// The number of threads that verify.
        public var threads = 2

        /// The usual limits.
        public init() {}
    }

    private let policy: VerificationPolicy
    private let limits: Limits
    private let scanner: DocumentScanner?
    private let links: LinkClient?
    private let threads: VerifierThreads
    private let store: EvidenceStore

    /// Makes a verifier.
    ///
    /// - Parameters:
    ///   - policy: whom to trust, and what a credential must have.
    ///   - source: what fetches keys and revocation lists; nil to fetch nothing.
    ///   - scanner: what reads pictures and PDF documents; nil to refuse them.
    ///   - links: how SMART Health Links are followed; nil to refuse them. A link decides which servers are contacted.
    ///   - limits: what one call may take.
    /// - Throws: `OutOfMemory`.
    public convenience init(
        _ policy: VerificationPolicy, source: IssuerClient? = nil, scanner: DocumentScanner? = nil,
        links: LinkClient? = nil, limits: Limits = Limits()
    ) throws(OutOfMemory) {
        let source: any EvidenceSource = source ?? IssuerClient(by: nil, limits: .init())
        try self.init(policy, source: source, scanner: scanner, links: links, limits: limits)
    }

    /// - Parameter source: what answers in the place of an `IssuerClient`.
    package init(
        _ policy: VerificationPolicy, source: any EvidenceSource, scanner: DocumentScanner? = nil,
        links: LinkClient? = nil, limits: Limits = Limits()
    ) throws(OutOfMemory) {
        self.policy = policy
        self.limits = limits
        self.scanner = scanner
        self.links = links
        threads = try VerifierThreads(policy, count: limits.threads, inputPayloadSize: limits.inputPayloadSize)
        store = EvidenceStore(
            source: source, limits: .init(for: policy.cards.trustedIssuers, listing: policy.cards.apps))
    }

    /// Verifies all credentials in an input.
    ///
    /// - Parameters:
    ///   - bytes: the whole input, in any form.
    ///   - source: the name of the input in verdicts.
    /// - Returns: one verdict for each credential, in their order. An input without a credential gives one verdict that says so.
    /// - Throws: `CancellationError` at once if the task is cancelled; what was being fetched goes on for other callers.
    ///   `InstallationFault` if nothing can be fetched or scanned at all, which says nothing about the input.
    public func verify(_ bytes: [UInt8], source: String) async throws -> [Verdict] {
        // A task of its own, so that a caller that is cancelled need not wait for a scanner or a server.
        let job = Task { () async -> Result<[Verdict], any Error> in
            do { return .success(try await judge(bytes, source: source)) } catch { return .failure(error) }
        }
        let result = try await withTaskCancellationHandler {
            try await job.value(until: nil)
        } onCancel: {
            job.cancel()
        }
        guard let result else { throw CancellationError() }
        return try result.get()
    }

    private func judge(_ bytes: [UInt8], source: String) async throws -> [Verdict] {
        let time = VerificationTime(policy.moment, madeAt: .now)
        let deadline = ContinuousClock.now + limits.time
        let pictureScanner = scanner.map { PictureScanner.given($0) } ?? .none
        var document: Result<ScannedDocument, VerificationFailure>?
        let form = InputForm.scanned(bytes[...])
        if let form {
            var pictures = PictureTime()
            document = try await pictures.scan(bytes, as: form, source: source, within: limits.time, by: pictureScanner)
        }
        var reader = await threads.perform(at: time) { [document] verifier in
            var reader = CredentialReader()
            switch document {
            case .success(let document): reader.add(document, source: source)
            case .failure(let failure): reader.add(failure: failure, source: source, form: form)
            case nil: reader.add(bytes, source: source)
            }
            reader.addLinksOfCertificates(by: verifier)
            return reader
        }
        try Task.checkCancellation()
        var follower = LinkFollower(
            links ?? LinkClient.none, now: time.common ?? time.madeAt, within: max(.zero, deadline - .now),
            scanner: pictureScanner)
        follower.attestations = AttestationJudge(
            policy: policy.withSharedEvidence.cards, until: deadline, store: { [store] in store })
        try await reader.follow(by: follower)
        try Task.checkCancellation()
        // A response is judged without its request. What is encrypted is not opened here.
        reader.openContainers(in: CheckInSession(), at: time.common ?? time.madeAt)
        return try await verdicts(on: reader.cards(), at: time, until: deadline)
    }

    private func verdicts(
        on credentials: [PresentedCredential], at time: VerificationTime, until deadline: ContinuousClock.Instant
    ) async throws -> [Verdict] {
        var verdicts: [Verdict] = []
        verdicts.reserveCapacity(credentials.count)
        var call = VerifierThreads.Call(
            waiting: credentials[...], time: time, hints: KeyHints(isAllowed: policy.cards.hintsAtOtherKeys))
        var caller = store.caller(naming: limits.unknownIssuers, until: deadline)
        while !call.waiting.isEmpty {
            if ContinuousClock.now > deadline { call.giveUp() }
            var begins = true
            try await store.judge(by: &caller) { evidence in
                call.evidence = evidence
                call = begins ? await threads.begin(call) : await threads.continue(call)
                begins = false
                return call.requests
            }
            verdicts += call.take()
            try Task.checkCancellation()
        }
        return verdicts
    }
}

extension VerifierThreads.Call {
    /// Marks what is not judged yet: the time for the call is up.
    fileprivate mutating func giveUp() {
        waiting =
            waiting.map { credential in
                guard case .success = credential.text else { return credential }
                return credential.failing(
                    with: VerificationFailure(
                        .unreadableInput, "not judged: the time for this input was used up by the credentials before it"
                    ))
            }[...]
    }
}
