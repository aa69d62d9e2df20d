package import Credentials
import Cryptography
package import Encodings
public import HTTPSFetch

/// Opens SMART Health Links: asks for the manifest, fetches the files and decrypts them.
///
/// Every request may be counted by the server, and a wrong passcode may end the link. So each request is made once, and none
/// before everything was checked that can be checked without it. Nothing of a link is cached.
public struct LinkClient: Sendable {
    /// The limits on requests for links.
    public struct Limits: Sendable {
        /// The time for the whole of one link: the manifest and the files together.
        public var timeout: Duration
        /// Whether loopback, private and other special-use addresses may be contacted.
        public var allowsPrivateNetwork: Bool
        /// More TLS roots than the system's; nil for none.
        public var certificateAuthorities: CertificateAuthorities?
        /// The origins that may be contacted for links and their files, as `origin(of:)` writes them; nil for any.
        public var allowedOrigins: [String]?
        /// Why no request is made at all; nil if requests are made.
        public var disabledReason: String?

        /// Creates limits.
        public init(
            timeout: Duration = .seconds(10), allowsPrivateNetwork: Bool = false,
            certificateAuthorities: CertificateAuthorities? = nil, allowedOrigins: [String]? = nil,
            disabledReason: String? = nil
        ) {
            self.timeout = timeout
            self.allowsPrivateNetwork = allowsPrivateNetwork
            self.certificateAuthorities = certificateAuthorities
            self.allowedOrigins = allowedOrigins
            self.disabledReason = disabledReason
        }
    }

    let transport: any Transport
    let limits: Limits
    let recipient: String
    let passcode: @Sendable (_ origin: String) -> [UInt8]?

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - transport: makes the requests.
    ///   - limits: the rules for requests.
    ///   - recipient: who asks, which is shown to the person who shares the link (SHL "recipient").
    ///   - passcode: gives the passcode of a link at an origin (`https://host`), in UTF-8; nil if there is none. It is asked only for a
    ///     link that needs one.
    public init(
        transport: any Transport, limits: Limits, recipient: String,
        passcode: @escaping @Sendable (_ origin: String) -> [UInt8]? = { _ in nil }
    ) {
        self.transport = transport
        self.limits = limits
        self.recipient = recipient
        self.passcode = passcode
    }

    /// No link is followed.
    package static let none = LinkClient(
        transport: NoTransport(), limits: Limits(disabledReason: "links are not followed here"), recipient: "none")

    private struct NoTransport: Transport {
        func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
            throw TransportFailure(.refusedAddress, "nothing is fetched here")
        }
    }

    /// The origin of an https URL that has nothing but an origin; nil for other text.
    public static func origin(of text: String) -> String? {
        guard let url = try? HTTPSURL(text), url.text.utf8.elementsEqual((text + "/").utf8) || url.text == text else {
            return nil
        }
        let authority = url.text.dropFirst("https://".count)
        return authority.firstIndex(of: "/") == authority.index(before: authority.endIndex) ? url.origin : nil
    }

    /// Why no request may be made for a link, found without any request; nil if requests may be made.
    ///
    /// - Parameters:
    ///   - link: the link.
    ///   - now: the moment at which the link must be valid.
    package func refusal(of link: HealthLink, at now: NumericDate) -> VerificationFailure? {
        if let refusal = Self.refusal(of: link, at: now) { return refusal }
        if let disabledReason = limits.disabledReason {
            return VerificationFailure(
                .linkUnavailable, "the link was not followed: \(disabledReason)", isUnasked: true)
        }
        if let origins = limits.allowedOrigins, let origin = link.target?.origin,
            !origins.contains(where: { $0.utf8.elementsEqual(origin.utf8) })
        {
            return VerificationFailure(
                .linkUnavailable,
                "the link's origin, \(HealthLink.displayed(origin)), is not one of those that may be contacted",
                isUnasked: true)
        }
        return nil
    }

    /// Why no request may ever be made for a link, whatever the limits; nil if it may be requested.
    private static func refusal(of link: HealthLink, at now: NumericDate) -> VerificationFailure? {
        if let problem = link.problems.first { return problem.failure }
        if let expires = link.expires, expires <= now {
            return VerificationFailure(
                .linkExpired, "the link has expired at \(expires); no request was made",
                impersonalMessage: "the link has expired; no request was made")
        }
        return link.needsReceiver ? receiverRequired : nil
    }

    /// The failure of a link that nobody opens.
    package static func refusal(ofUnopened link: HealthLink, at now: NumericDate) -> VerificationFailure {
        refusal(of: link, at: now)
            ?? VerificationFailure(
                .linkUnavailable, "the link in the certificate is not followed here: give it as an input of its own",
                isUnasked: true)
    }

    /// The failure of a link that is never requested.
    private static let receiverRequired = VerificationFailure(
        .receiverRequired,
        "the certificate around the link is genuine; what is behind the link can be fetched only by a receiver that is registered with "
            + "its network. No request was made")

    // MARK: Opening

    /// Opens a link. Call `refusal(of:at:)` first.
    ///
    /// - Parameters:
    ///   - passcode: the passcode for exactly this link; nil if it needs none.
    ///   - budget: what the links of the input may still use. What this link uses is subtracted.
    /// - Throws: `InstallationFault` if nothing can be fetched on this machine.
    package func open(
        _ link: HealthLink, passcode: SecretBytes?, within budget: inout ContainerBudget
    ) async throws(InstallationFault) -> Opening {
        guard let target = link.target, !link.needsReceiver else {
            return Opening(link, reason: link.problems.first?.failure ?? Self.receiverRequired)
        }
        let usedUp =
            budget.time <= .zero
            ? "time for all links of an input, \(budget.limit.components.seconds) s"
            : budget.requests <= 0 ? "requests for all links of an input, \(Bounds.containerRequests)" : nil
        if let usedUp {
            return Opening(
                link,
                reason: VerificationFailure(
                    .linkUnavailable, "the links before this one have used up the \(usedUp); no request was made",
                    isUnasked: true))
        }
        guard let inflater = try? Inflater() else {
            return Opening(
                link, reason: VerificationFailure(.linkUnavailable, "there is no memory to inflate files"))
        }
        let start = ContinuousClock.now
        var run = Run(
            client: self, link: link, target: target, passcode: passcode,
            opener: FileOpener(key: target.key, inflater: inflater), budget: budget,
            deadline: start + min(limits.timeout, budget.time))
        defer {
            budget = run.budget
            budget.time -= ContinuousClock.now - start
        }
        return try await link.isDirect ? run.direct() : run.manifest()
    }

    /// The requests for one link. They share one deadline.
    private struct Run {
        let client: LinkClient
        let link: HealthLink
        let target: HealthLink.Target
        /// The passcode of the link, which no message may repeat.
        let passcode: SecretBytes?
        let opener: FileOpener
        /// What the links of the input may still use.
        var budget: ContainerBudget
        let deadline: ContinuousClock.Instant
        /// The answers for locations that were fetched and are still needed.
        fileprivate var fetched: [[UInt8]: Result<[UInt8], VerificationFailure>] = [:]

        /// How many files are fetched at a time; one by one after a large file, since all answers are in memory at once.
        fileprivate var together = 4
        private static let largeFile = 2 << 20
        /// What is read of an error's body.
        private static let errorBodySize = 4096

        /// The file of a link with the flag `U`: one GET of the link's own address.
        mutating func direct() async throws(InstallationFault) -> Opening {
            let encoded = PercentEncoding.encode(Array(client.recipient.utf8), keeping: PercentEncoding.isUnreserved)
            let last = target.url.utf8.last
            let separator =
                !target.url.utf8.contains(UInt8(ascii: "?"))
                ? "?" : last == UInt8(ascii: "?") || last == UInt8(ascii: "&") ? "" : "&"
            let request = request("\(target.url)\(separator)recipient=\(encoded)", limit: FileOpener.fileSize)
            let summary = OpenedLink.File(delivery: .direct)
            switch await Answer(to: request, by: client.transport) {
            case .fault(let fault): throw fault
            case .failure(let failure) where failure.kind == .tooLarge:
                return Opening(link, holding: [Opening.File(summary, failing: FileOpener.tooLong)])
            case .failure(let failure): return Opening(link, reason: unavailable(failure.message))
            case .response(let response) where response.status == 200:
                return Opening(link, holding: [file(summary, .success(response.body), number: 1)])
            case .response(let response): return refused(response)
            }
        }

        /// Asks for the manifest, once, and for the files in it.
        mutating func manifest() async throws(InstallationFault) -> Opening {
            var request = request(target.url, limit: Manifest.size)
            request.method = .post(HTTPRequest.Body(Self.body(recipient: client.recipient, passcode: passcode)))
            request.accept = "application/json"
            let body: [UInt8]
            switch await Answer(to: request, by: client.transport) {
            case .fault(let fault): throw fault
            case .failure(let failure) where failure.kind == .tooLarge: return Opening(link, reason: Manifest.tooLarge)
            case .failure(let failure): return Opening(link, reason: unavailable(failure.message))
            case .response(let response) where response.status == 200: body = response.body
            case .response(let response): return refused(response)
            }
            let manifest: Manifest
            do throws(VerificationFailure) {
                manifest = try Manifest(body)
            } catch {
                return Opening(link, reason: error)
            }
            var opening = Opening(link)
            if let status = manifest.status, (try? budget.spend(status.utf8.count)) != nil { opening.status = status }
            opening.warnings = Self.warnings(status: manifest.status, of: "the link")
            for (number, entry) in manifest.entries.enumerated() {
                let text = try await text(of: entry, upcoming: manifest.entries[(number + 1)...])
                opening.files.append(file(entry.file, text, number: number + 1))
            }
            return opening
        }

        /// Decrypts a file, and recognises its content.
        private mutating func file(
            _ summary: OpenedLink.File, _ text: Result<[UInt8], VerificationFailure>, number: Int
        ) -> Opening.File {
            var summary = summary
            let name = "file \(number) of the link"
            var file: Opening.File
            do throws(VerificationFailure) {
                do throws(VerificationFailure) {
                    try budget.spend(summary.textSize)
                } catch {
                    summary = OpenedLink.File(delivery: summary.delivery)
                    throw error
                }
                let (plaintext, contentType) = try opener.open(text.get(), within: &budget)
                file = try Opening.File(plaintext, encryptedType: contentType, of: summary, name: name)
            } catch {
                file = Opening.File(summary, failing: error)
            }
            file.warnings = Self.warnings(status: summary.status, of: name) + file.warnings
            return file
        }

        private static func warnings(status: UTF8Text?, of name: String) -> [CredentialWarning] {
            guard status == OpenedLink.noLongerValid else { return [] }
            return [CredentialWarning(.linkStatus, "\(name) has the status no-longer-valid")]
        }

        /// The body of the manifest request. Only the passcode's bytes are not written by `JSONWriter`, so that they need not
        /// become a `String`.
        private static func body(recipient: String, passcode: SecretBytes?) -> [UInt8] {
            var writer = JSONWriter()
            writer.object { $0.member("recipient", recipient) }
            guard let passcode else { return writer.bytes }
            var body = writer.bytes.dropLast() + Array(#","passcode":""#.utf8)
            passcode.withBytes { bytes in
                for index in bytes.indices {
                    let byte = bytes[index]
                    if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { body.append(UInt8(ascii: "\\")) }
                    body.append(byte)
                }
            }
            return Array(body + Array(#""}"#.utf8))
        }

        /// The encrypted text of a file. If it is at an address, the addresses of the next files are fetched with it.
        mutating func text(
            of entry: Manifest.Entry, upcoming: ArraySlice<Manifest.Entry>
        ) async throws(InstallationFault) -> Result<[UInt8], VerificationFailure> {
            let location: String
            switch entry.content {
            case .failure(let failure): return .failure(failure)
            case .success(.embedded(let text)): return .success(text)
            case .success(.location(let url)): location = url
            }
            let key = Array(location.utf8)
            if fetched[key] == nil {
                guard budget.requests > 0 else {
                    return .failure(
                        unavailable(
                            "the links of the input have used up their \(Bounds.containerRequests) requests",
                            file: location))
                }
                try await fetch(next(location, upcoming))
            }
            // A location may work only once, so its answer is kept if a later entry names it again.
            let answer = fetched[key] ?? .failure(unavailable("the file was not fetched"))
            if !upcoming.contains(where: { $0.url.map { $0.utf8.elementsEqual(location.utf8) } ?? false }) {
                fetched[key] = nil
            }
            return answer
        }

        /// The next addresses to fetch together, each once.
        private func next(_ first: String, _ upcoming: ArraySlice<Manifest.Entry>) -> [String] {
            var urls = [first]
            for url in upcoming.compactMap(\.url) where urls.count < min(together, budget.requests) {
                guard fetched[Array(url.utf8)] == nil, !urls.contains(where: { $0.utf8.elementsEqual(url.utf8) }) else {
                    continue
                }
                urls.append(url)
            }
            return urls
        }

        private mutating func fetch(_ urls: [String]) async throws(InstallationFault) {
            let requests = urls.map { request($0, limit: FileOpener.fileSize) }
            let transport = client.transport
            let answers = await withTaskGroup(of: (Int, Answer).self) { group in
                for (number, request) in requests.enumerated() {
                    group.addTask { (number, await Answer(to: request, by: transport)) }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            for (number, answer) in answers {
                let result: Result<[UInt8], VerificationFailure>
                switch answer {
                case .fault(let fault): throw fault
                case .response(let response) where response.status == 200:
                    if response.body.count > Self.largeFile { together = 1 }
                    result = .success(response.body)
                case .response(let response):
                    result = .failure(
                        unavailable(
                            problem(response), file: urls[number], said: words(of: response, behind: urls[number])))
                case .failure(let failure) where failure.kind == .tooLarge: result = .failure(FileOpener.tooLong)
                case .failure(let failure): result = .failure(unavailable(failure.message, file: urls[number]))
                }
                fetched[Array(urls[number].utf8)] = result
            }
        }

        private mutating func request(_ url: String, limit: Int) -> HTTPRequest {
            budget.requests -= 1
            return HTTPRequest(
                url: url, timeout: max(.zero, deadline - .now), maximumBodySize: limit,
                allowsPrivateNetwork: client.limits.allowsPrivateNetwork,
                certificateAuthorityFile: client.limits.certificateAuthorities?.file,
                accept: "application/jose, */*;q=0.5", allowedOrigins: client.limits.allowedOrigins,
                errorBodySize: Self.errorBodySize)
        }

        /// What came of a request. Nothing is thrown: a task that throws and returns a `Result` in a `Result` gives garbage in an
        /// optimised build of Swift 6.3.
        private enum Answer: Sendable {
            case response(HTTPResponse)
            case failure(TransportFailure)
            case fault(InstallationFault)

            init(to request: HTTPRequest, by transport: any Transport) async {
                do throws(TransportFailure) {
                    self = .response(try await transport.sendChecked(request))
                } catch {
                    self = InstallationFault(error).map { .fault($0) } ?? .failure(error)
                }
            }
        }

        // MARK: Failures

        /// - Parameters:
        ///   - problem: what went wrong.
        ///   - file: the address of the file that was requested; nil if it was the link's own address.
        ///   - words: what the server says of it.
        private func unavailable(
            _ problem: String, file: String? = nil, said words: ServerWords? = nil
        ) -> VerificationFailure {
            let origin = file.flatMap { try? HTTPSURL($0).origin } ?? target.origin
            let what = file == nil ? link.isDirect ? "the link's file" : "the link's manifest" : "a file of the link"
            return failure(
                .linkUnavailable,
                "\(what) could not be fetched from \(HealthLink.displayed(origin)): \(problem)", said: words)
        }

        /// The failure with the server's words, which may name a person.
        private func failure(
            _ code: ReasonCode, _ message: String, said words: ServerWords?
        ) -> VerificationFailure {
            VerificationFailure(
                code, message + (words?.quoted ?? ""), impersonalMessage: words == nil ? nil : message)
        }

        /// A link whose own address gives an error. What its status does not say, the server's words may.
        private func refused(_ response: HTTPResponse) -> Opening {
            let words = words(of: response, behind: target.url)
            let isRefused = [400, 401, 403, 409, 422].contains(response.status)
            switch (response.status, isRefused ? words?.meaning : nil) {
            // A 401 to a request for a manifest is about the passcode.
            case (404, _), (410, _),
                (_, .ended?) where response.status != 401 || link.isDirect:
                let message =
                    "the server \(HealthLink.displayed(target.origin)) has nothing behind this link (status \(response.status)): it has "
                    + "expired, was used up or ended, or never existed"
                return Opening(link, reason: failure(.linkInactive, message, said: words))
            case (401, _) where !link.isDirect, (_, .noPasscode?) where !link.isDirect:
                let body = try? JSONDocument.parse(response.body, maximumDepth: 8)
                let left = body?["remainingAttempts"]?.number?.integer.flatMap { number in
                    (0...1_000_000).contains(number) ? Int(number) : nil
                }
                let note = left.map { $0 == 1 ? "; 1 attempt remains" : "; \($0) attempts remain" } ?? ""
                let reason =
                    passcode == nil
                    ? failure(
                        .passcodeRequired,
                        "the link's server asks for a passcode (status \(response.status))\(note)", said: words)
                    : failure(.passcodeRejected, "the link's server did not accept the passcode\(note)", said: words)
                return Opening(link, reason: reason, remainingAttempts: left)
            default: return Opening(link, reason: unavailable(problem(response), said: words))
            }
        }

        /// What the server says of an error, unless it repeats the key, the passcode, or a part of an address, which opens the link.
        ///
        /// - Parameter url: the address that was requested.
        private func words(of response: HTTPResponse, behind url: String) -> ServerWords? {
            // The first parts are the scheme and the host. A word of few small letters, such as "link", is no secret.
            let parts = [target.url, url].flatMap { url in
                Array(url.utf8).split { !PercentEncoding.isUnreserved($0) }.dropFirst(2)
            }
            let isPlain = { (part: ArraySlice<UInt8>) in part.allSatisfy { (0x61...0x7A).contains($0) } }
            let key = target.key.withBytes { key in Base64URL.encode(key.indices.map { key[$0] }) }
            let texts = [Array(key.utf8)] + parts.filter { $0.count >= (isPlain($0) ? 8 : 4) }.map { Array($0) }
            let secrets = texts.map { (text: [UInt8]) -> SecretBytes in
                var text = text
                return SecretBytes(&text)
            }
            return ServerWords(in: response.body, without: secrets + [passcode].compactMap(\.self))
        }

        private func problem(_ response: HTTPResponse) -> String {
            var words = HTTPResponse.words(forStatus: response.status)
            if let pause = response.headers["retry-after"] { words += " (Retry-After: \(pause.quoted(upTo: 60)))" }
            return words
        }
    }
}

extension LinkClient.Manifest.Entry {
    /// The address of the file; nil if it is in the manifest, or cannot be used.
    fileprivate var url: String? {
        guard case .success(.location(let url)) = content else { return nil }
        return url
    }
}
