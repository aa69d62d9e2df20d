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

    /// What became of a link.
    package struct Opening: Sendable {
        /// One file of the link.
        package struct File: Sendable {
            /// What is known of it.
            package var summary: OpenedLink.File
            /// The content; nil if the file was not read. It is empty for an access token.
            package var content: LinkContent?
            /// The content type (cty) in the header of the encrypted file; nil if there is none.
            package var encryptedType: UTF8Text?
            /// The texts of the content, if it is a picture or PDF with cards.
            package var document: ScannedDocument?
            /// What is unusual about it.
            package var warnings: [CredentialWarning] = []
        }

        /// The status in the manifest.
        package var status: UTF8Text?
        /// Why the link could not be opened; nil if it was.
        package var reason: VerificationFailure?
        /// How many wrong passcodes the server still allows; nil if it does not say.
        package var remainingAttempts: Int?
        /// The files in the order of the manifest.
        package var files: [File] = []
        /// What is unusual about the manifest.
        package var warnings: [CredentialWarning] = []

        init(status: UTF8Text? = nil, files: [File] = []) {
            self.status = status
            self.files = files
        }

        /// A link that could not be opened.
        package init(reason: VerificationFailure, remainingAttempts: Int? = nil) {
            self.reason = reason
            self.remainingAttempts = remainingAttempts
        }
    }

    /// A budget for the links of an input.
    package var budget: ContainerBudget { ContainerBudget(time: max(Bounds.linksTime, limits.timeout)) }

    let transport: any Transport
    let limits: Limits
    private let recipient: String

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - transport: makes the requests.
    ///   - limits: the rules for requests.
    ///   - recipient: who asks, which is shown to the person who shares the link (SHL "recipient").
    public init(transport: any Transport, limits: Limits, recipient: String) {
        self.transport = transport
        self.limits = limits
        self.recipient = recipient
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
        if let origins = limits.allowedOrigins, !origins.contains(where: { $0.utf8.elementsEqual(link.origin.utf8) }) {
            return VerificationFailure(
                .linkUnavailable,
                "the link's origin, \(LinkReading.displayed(link.origin)), is not one of those that may be contacted",
                isUnasked: true)
        }
        return nil
    }

    /// Why no request may ever be made for a link, whatever the limits; nil if it may be requested.
    private static func refusal(of link: HealthLink, at now: NumericDate) -> VerificationFailure? {
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
        guard !link.needsReceiver else { return Opening(reason: Self.receiverRequired) }
        let usedUp =
            budget.time <= .zero
            ? "time for all links of an input, \(budget.limit.components.seconds) s"
            : budget.requests <= 0 ? "requests for all links of an input, \(Bounds.containerRequests)" : nil
        if let usedUp {
            return Opening(
                reason: VerificationFailure(
                    .linkUnavailable, "the links before this one have used up the \(usedUp); no request was made",
                    isUnasked: true))
        }
        let start = ContinuousClock.now
        defer { budget.time -= ContinuousClock.now - start }
        var run = Run(
            client: self, link: link, passcode: passcode, timeout: min(limits.timeout, budget.time),
            requests: budget.requests)
        defer { budget.requests = run.requests }
        guard let inflater = try? Inflater() else {
            return Opening(reason: VerificationFailure(.linkUnavailable, "there is no memory to inflate files"))
        }
        var opener = FileOpener(key: link.key, inflater: inflater, left: budget.size)
        defer { budget.size = opener.left }
        guard !link.isDirect else { return try await run.direct(&opener) }
        let manifest: LinkManifest
        switch try await run.manifest(passcode: passcode) {
        case .success(let read): manifest = read
        case .failure(let failure):
            return Opening(reason: failure, remainingAttempts: run.remainingAttempts)
        }
        var opening = Opening()
        if let status = manifest.status, (try? opener.spend(status.utf8.count)) != nil { opening.status = status }
        opening.warnings += Self.warnings(status: manifest.status, of: "the link")
        for (number, entry) in manifest.entries.enumerated() {
            let text = try await run.text(of: entry, upcoming: manifest.entries[(number + 1)...])
            opening.files.append(Self.file(entry.file, text, number: number + 1, &opener))
        }
        return opening
    }

    /// Decrypts a file, and recognises its content.
    fileprivate static func file(
        _ summary: OpenedLink.File, _ text: Result<[UInt8], VerificationFailure>, number: Int,
        _ opener: inout FileOpener
    ) -> Opening.File {
        do throws(VerificationFailure) {
            try opener.spend(summary.textSize)
        } catch {
            var file = Opening.File(summary: OpenedLink.File(delivery: summary.delivery))
            file.summary.reason = error
            return file
        }
        var file = Opening.File(summary: summary)
        let name = "file \(number) of the link"
        file.warnings = warnings(status: summary.status, of: name)
        do throws(VerificationFailure) {
            let (plaintext, contentType) = try opener.open(text.get())
            let declared = summary.contentType.flatMap { $0.isEmpty ? nil : $0 }
            let content = try LinkContent(plaintext, claimed: declared ?? contentType)
            if let declared, content.contradicts(declared) {
                file.warnings.append(mismatch(of: name, "content type", declared))
            } else if let contentType, content.contradicts(contentType) {
                file.warnings.append(mismatch(of: name, "cty", contentType))
            }
            file.content = content
            file.encryptedType = contentType
            file.summary.kind = content.kind
            file.summary.resourceType = content.resourceType
            file.summary.audience = content.audience
            file.summary.scope = content.scope
        } catch {
            file.summary.reason = error
        }
        return file
    }

    private static func mismatch(of name: String, _ member: String, _ claimed: UTF8Text) -> CredentialWarning {
        CredentialWarning(
            .contentTypeMismatch, "\(name) has the \(member) \(claimed.quoted(upTo: 60)), but is of another kind")
    }

    private static func warnings(status: UTF8Text?, of name: String) -> [CredentialWarning] {
        guard status == OpenedLink.noLongerValid else { return [] }
        return [CredentialWarning(.linkStatus, "\(name) has the status no-longer-valid")]
    }

    /// The requests for one link. They share one deadline.
    private struct Run {
        let client: LinkClient
        let link: HealthLink
        /// The passcode of the link, which no message may repeat.
        private let passcode: SecretBytes?
        private let deadline: ContinuousClock.Instant
        /// How many wrong passcodes the server still allows.
        private(set) var remainingAttempts: Int?
        /// The answers for locations that were fetched and are still needed.
        private var fetched: [[UInt8]: Result<[UInt8], VerificationFailure>] = [:]

        /// How many files are fetched at a time; one by one after a large file, since all answers are in memory at once.
        private var together = 4
        private static let largeFile = 2 << 20
        /// What is read of an error's body.
        private static let errorBodySize = 4096

        /// How many requests the links of the input may still make.
        private(set) var requests: Int

        init(client: LinkClient, link: HealthLink, passcode: SecretBytes?, timeout: Duration, requests: Int) {
            self.passcode = passcode
            self.requests = requests
            self.client = client
            self.link = link
            deadline = .now + timeout
        }

        /// The file of a link with the flag `U`: one GET of the link's own address.
        mutating func direct(_ opener: inout FileOpener) async throws(InstallationFault) -> Opening {
            let encoded = PercentEncoding.encode(Array(client.recipient.utf8), keeping: PercentEncoding.isUnreserved)
            let last = link.url.utf8.last
            let separator =
                !link.url.utf8.contains(UInt8(ascii: "?"))
                ? "?" : last == UInt8(ascii: "?") || last == UInt8(ascii: "&") ? "" : "&"
            let url = "\(link.url)\(separator)recipient=\(encoded)"
            let request = request(url, limit: FileOpener.fileSize)
            switch await Answer(to: request, by: client.transport) {
            case .fault(let fault): throw fault
            case .failure(let failure):
                guard failure.kind != .tooLarge else {
                    var file = OpenedLink.File(delivery: .direct)
                    file.reason = FileOpener.tooLong
                    return Opening(files: [Opening.File(summary: file)])
                }
                return Opening(reason: unavailable(failure.message))
            case .response(let response):
                guard response.status == 200 else { return Opening(reason: refused(response, passcode: nil)) }
                let file = LinkClient.file(
                    OpenedLink.File(delivery: .direct), .success(response.body), number: 1, &opener)
                return Opening(files: [file])
            }
        }

        /// Asks for the manifest, once.
        mutating func manifest(
            passcode: SecretBytes?
        ) async throws(InstallationFault) -> Result<LinkManifest, VerificationFailure> {
            var request = request(link.url, limit: LinkManifest.size)
            request.method = .post(HTTPRequest.Body(Self.body(recipient: client.recipient, passcode: passcode)))
            request.accept = "application/json"
            switch await Answer(to: request, by: client.transport) {
            case .fault(let fault): throw fault
            case .failure(let failure):
                guard failure.kind != .tooLarge else {
                    return .failure(
                        VerificationFailure(
                            .malformedManifest, "the link's manifest is larger than \(LinkManifest.size >> 20) MiB"))
                }
                return .failure(unavailable(failure.message))
            case .response(let response):
                guard response.status == 200 else { return .failure(refused(response, passcode: passcode)) }
                return Result { () throws(VerificationFailure) in try LinkManifest(response.body) }
            }
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
            of entry: LinkManifest.Entry, upcoming: ArraySlice<LinkManifest.Entry>
        ) async throws(InstallationFault) -> Result<[UInt8], VerificationFailure> {
            let location: String
            switch entry.content {
            case .failure(let failure): return .failure(failure)
            case .success(.embedded(let text)): return .success(text)
            case .success(.location(let url)): location = url
            }
            let key = Array(location.utf8)
            if fetched[key] == nil {
                guard requests > 0 else {
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
        private func next(_ first: String, _ upcoming: ArraySlice<LinkManifest.Entry>) -> [String] {
            var urls = [first]
            for url in upcoming.compactMap(\.url) where urls.count < min(together, requests) {
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
            requests -= 1
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
            let origin = file.flatMap { try? HTTPSURL($0).origin } ?? link.origin
            let what = file == nil ? link.isDirect ? "the link's file" : "the link's manifest" : "a file of the link"
            return failure(
                .linkUnavailable,
                "\(what) could not be fetched from \(LinkReading.displayed(origin)): \(problem)", said: words)
        }

        /// The failure with the server's words, which may name a person.
        private func failure(
            _ code: ReasonCode, _ message: String, said words: ServerWords?
        ) -> VerificationFailure {
            VerificationFailure(
                code, message + (words?.quoted ?? ""), impersonalMessage: words == nil ? nil : message)
        }

        /// The failure of a link whose own address gives an error. What its status does not say, the server's words may.
        private mutating func refused(_ response: HTTPResponse, passcode: SecretBytes?) -> VerificationFailure {
            let words = words(of: response, behind: link.url)
            let isRefused = [400, 401, 403, 409, 422].contains(response.status)
            switch (response.status, isRefused ? words?.meaning : nil) {
            // A 401 to a request for a manifest is about the passcode.
            case (404, _), (410, _),
                (_, .ended?) where response.status != 401 || link.isDirect:
                return failure(
                    .linkInactive,
                    "the server \(LinkReading.displayed(link.origin)) has nothing behind this link (status \(response.status)): it "
                        + "has expired, was used up or ended, or never existed", said: words)
            case (401, _) where !link.isDirect, (_, .noPasscode?) where !link.isDirect:
                let left = attemptsLeft(in: response)
                guard passcode != nil else {
                    return failure(
                        .passcodeRequired,
                        "the link's server asks for a passcode (status \(response.status))\(left)", said: words)
                }
                return failure(
                    .passcodeRejected, "the link's server did not accept the passcode\(left)", said: words)
            default: return unavailable(problem(response), said: words)
            }
        }

        /// How many attempts remain, in words; empty if the server does not say it.
        private mutating func attemptsLeft(in response: HTTPResponse) -> String {
            let body = try? JSONDocument.parse(response.body, maximumDepth: 8)
            remainingAttempts = (body?["remainingAttempts"]?.number?.integer).flatMap { number in
                (0...1_000_000).contains(number) ? Int(number) : nil
            }
            return remainingAttempts.map { $0 == 1 ? "; 1 attempt remains" : "; \($0) attempts remain" } ?? ""
        }

        /// What the server says of an error, unless it repeats the key, the passcode, or a part of an address, which opens the link.
        ///
        /// - Parameter url: the address that was requested.
        private func words(of response: HTTPResponse, behind url: String) -> ServerWords? {
            // The first parts are the scheme and the host. A word of few small letters, such as "link", is no secret.
            let parts = [link.url, url].flatMap { url in
                Array(url.utf8).split { !PercentEncoding.isUnreserved($0) }.dropFirst(2)
            }
            let isPlain = { (part: ArraySlice<UInt8>) in part.allSatisfy { (0x61...0x7A).contains($0) } }
            let key = link.key.withBytes { key in Base64URL.encode(key.indices.map { key[$0] }) }
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

extension LinkManifest.Entry {
    /// The address of the file; nil if it is in the manifest, or cannot be used.
    fileprivate var url: String? {
        guard case .success(.location(let url)) = content else { return nil }
        return url
    }
}
