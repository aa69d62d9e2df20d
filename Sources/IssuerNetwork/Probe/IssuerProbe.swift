import JOSE
import JSON
public import SMARTHealthCards

/// Asks a live issuer for all that lint looks at: its key set, the revocation lists of its keys, and which versions of
/// TLS its server accepts.
///
/// Nothing is cached, since it is the server's own words that are wanted. The time holds for all of it together, and so
/// do the rules of whom to contact. The requests say what a browser's would that loads a page of another origin.
public struct IssuerProbe: Sendable {
    /// The origin that requests name. Nobody's, so that only a server that permits every origin permits it.
    public static let origin = "https://verifier.example"
    /// How many revocation lists are asked for. An issuer has a few keys.
    static let maximumLists = 16
    /// The longest key id whose list is asked for, in bytes. A thumbprint has 43.
    static let maximumKeyIDLength = 256

    private let transport: any Transport
    private let limits: IssuerClient.Limits

    /// - Parameters:
    ///   - transport: how requests are made.
    ///   - limits: the time, whom to contact and the TLS roots. Staleness means nothing here.
    public init(transport: any Transport, limits: IssuerClient.Limits) {
        self.transport = transport
        self.limits = limits
    }

    /// Asks an issuer.
    ///
    /// - Returns: what was answered, or why there is no answer. Nothing is asked of an issuer whose URL is none.
    public func answers(of issuer: Issuer) async throws(InstallationFault) -> PublishedIssuer {
        do throws(VerificationFailure) {
            _ = try Issuer(issuer.url)
        } catch {
            let failure = PublishedAnswer.Failure(.invalidURL, error.message)
            return PublishedIssuer(
                issuer: issuer, origin: Self.origin,
                keySet: PublishedAnswer(url: issuer.keySetURL, result: .failure(failure)))
        }
        let deadline = ContinuousClock.now + limits.timeout
        let keySet = try await answer(issuer.keySetURL, maximumSize: Bounds.keySetSize, deadline: deadline)
        var answers = PublishedIssuer(issuer: issuer, origin: Self.origin, keySet: keySet)
        switch keySet.result {
        case .success(let response):
            let keyIDs = Self.keyIDs(withListsIn: response)
            answers.furtherLists = max(0, keyIDs.count - Self.maximumLists)
            async let tls = tls(of: issuer, deadline: deadline)
            answers.lists = try await lists(of: issuer, keyIDs.prefix(Self.maximumLists), deadline: deadline)
            answers.tls = await tls
        case .failure(let failure):
            switch failure.kind {
            // A server that cannot be reached cannot be reached with another version of TLS either.
            case .invalidURL, .unreachable, .machine, .unasked: break
            case .tls, .certificate, .answer: answers.tls = await tls(of: issuer, deadline: deadline)
            }
        }
        return answers
    }

    // MARK: Documents

    private func answer(
        _ url: String, maximumSize: Int, deadline: ContinuousClock.Instant
    ) async throws(InstallationFault) -> PublishedAnswer {
        let left = ContinuousClock.now.duration(to: deadline)
        guard left > .zero else {
            return PublishedAnswer(
                url: url, result: .failure(.init(.unreachable, "the time for this issuer is used up")))
        }
        let now = SystemClock.now
        do throws(TransportFailure) {
            let response = try await transport.get(
                request(url, timeout: left, maximumBodySize: maximumSize, tls: .standard))
            return PublishedAnswer(
                url: url,
                result: .success(
                    PublishedAnswer.Response(
                        status: response.status, headers: response.headers, body: response.body,
                        redirects: response.redirects,
                        statedFreshness: Freshness.statedSeconds(response.headers, now: now))))
        } catch {
            if let fault = InstallationFault(error) { throw fault }
            return PublishedAnswer(url: url, result: .failure(PublishedAnswer.Failure(error)))
        }
    }

    private func request(
        _ url: String, timeout: Duration, maximumBodySize: Int, tls: TLSVersions
    ) -> HTTPRequest {
        HTTPRequest(
            url: url, timeout: timeout, maximumBodySize: maximumBodySize,
            allowsPrivateNetwork: limits.allowsPrivateNetwork,
            certificateAuthorityFile: limits.certificateAuthorities?.file, origin: Self.origin, tls: tls,
            // Another server's TLS says nothing of this one's.
            maximumRedirects: tls == .standard ? HTTPRequest.mostRedirects : 0)
    }

    /// The ids of the keys that have a `crlVersion`, each once.
    private static func keyIDs(withListsIn response: PublishedAnswer.Response) -> [KeyID] {
        guard response.status == 200,
            let value = try? JSONDocument.parse(response.body, maximumDepth: Bounds.nesting),
            let keys = value["keys"]?.elements
        else { return [] }
        var seen: Set<KeyID> = []
        var keyIDs: [KeyID] = []
        for key in keys where key["crlVersion"] != nil {
            guard let keyID = key["kid"].flatMap({ KeyID($0) }),
                (1...maximumKeyIDLength).contains(keyID.bytes.count), seen.insert(keyID).inserted
            else { continue }
            keyIDs.append(keyID)
        }
        return keyIDs
    }

    /// The lists, one after the other: all together may be as large as one.
    private func lists(
        of issuer: Issuer, _ keyIDs: ArraySlice<KeyID>, deadline: ContinuousClock.Instant
    ) async throws(InstallationFault) -> [PublishedIssuer.List] {
        var lists: [PublishedIssuer.List] = []
        var left = Bounds.revocationListSize
        for keyID in keyIDs {
            let name = RevocationListName(issuer: issuer, keyID: keyID)
            let answer = try await answer(name.url, maximumSize: left, deadline: deadline)
            if case .success(let response) = answer.result { left -= min(left, response.body.count) }
            lists.append(PublishedIssuer.List(keyID: keyID, answer: answer))
        }
        return lists
    }

    // MARK: TLS

    private func tls(of issuer: Issuer, deadline: ContinuousClock.Instant) async -> PublishedIssuer.TLS {
        async let version13 = acceptance(.only13, by: issuer, deadline: deadline)
        async let version12 = acceptance(.only12, by: issuer, deadline: deadline)
        async let legacy = acceptance(.legacy, by: issuer, deadline: deadline)
        return await PublishedIssuer.TLS(version13: version13, version12: version12, legacy: legacy)
    }

    private func acceptance(
        _ versions: TLSVersions, by issuer: Issuer, deadline: ContinuousClock.Instant
    ) async -> PublishedIssuer.Acceptance {
        let left = ContinuousClock.now.duration(to: deadline)
        guard left > .zero else { return .unknown }
        do throws(TransportFailure) {
            // What is answered does not matter, so none of it is read.
            _ = try await transport.get(
                request(issuer.keySetURL, timeout: left, maximumBodySize: 0, tls: versions))
            return .accepted
        } catch {
            switch error.kind {
            // All of these come after the handshake, or in it once the version is agreed on.
            case .certificate, .tooLarge, .redirect: return .accepted
            case .tls: return .refused
            default: return .unknown
            }
        }
    }
}
