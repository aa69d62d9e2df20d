package import Credentials
import Cryptography
package import Directories
import Encodings
package import HTTPSFetch
import SMARTHealthCards

/// Asks a live issuer for the things that lint checks: its key set, the revocation lists of its keys, and the versions
/// of TLS that its server accepts.
///
/// Nothing is cached, because lint checks the server's own answers. All requests share one time limit, and the usual
/// address policy applies. The requests have an `Origin` field, as a browser sends it for another site's page.
package struct IssuerProbe: Sendable {
    /// The origin that requests name. It belongs to nobody, so a server permits it only if it permits all origins.
    package static let origin = "https://verifier.example"
    /// The most revocation lists that are requested. An issuer has only a few keys.
    static let maximumLists = 16
    /// The longest key ID for which a list is requested, in bytes. A thumbprint has 43.
    static let maximumKeyIDLength = 256

    private let transport: any Transport
    private let limits: IssuerClient.Limits
    private let triesTLS: Bool
    private let listSize: Int

    /// - Parameters:
    ///   - transport: makes the requests.
    ///   - limits: the time limit, the addresses that may be contacted, and the TLS roots. `maximumStaleness` is not
    ///     used.
    ///   - triesTLS: whether to find out which versions of TLS the server accepts.
    ///   - listSize: the size of all revocation lists of an issuer together, in bytes.
    package init(
        transport: any Transport, limits: IssuerClient.Limits, triesTLS: Bool = true,
        listSize: Int = Bounds.revocationListSize
    ) {
        self.transport = transport
        self.limits = limits
        self.triesTLS = triesTLS
        self.listSize = listSize
    }

    /// Asks an issuer.
    ///
    /// - Returns: the answers, or why there are none. An issuer with an invalid URL is not asked.
    /// - Throws: `InstallationFault` if nothing can be fetched at all.
    package func answers(of issuer: Issuer) async throws(InstallationFault) -> PublishedIssuer {
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
            // If a server cannot be reached, another version of TLS makes no difference.
            case .invalidURL, .unreachable, .machine, .unasked: break
            case .tls, .certificate, .answer: answers.tls = await tls(of: issuer, deadline: deadline)
            }
        }
        return answers
    }

    /// Asks for a card file.
    ///
    /// - Parameter url: the address of the file.
    /// - Throws: `InstallationFault` if nothing can be fetched at all.
    package func cardFile(_ url: String) async throws(InstallationFault) -> PublishedAnswer {
        try await answer(url, maximumSize: Bounds.inputSize, deadline: ContinuousClock.now + limits.timeout)
    }

    // MARK: Documents

    private func answer(
        _ url: String, maximumSize: Int, deadline: ContinuousClock.Instant
    ) async throws(InstallationFault) -> PublishedAnswer {
        let left = ContinuousClock.now.duration(to: deadline)
        guard left > .zero else {
            return PublishedAnswer(
                url: url, result: .failure(.init(.unreachable, "the time for this issuer is used up", detail: .timeout))
            )
        }
        let now = SystemClock.now
        do throws(TransportFailure) {
            let response = try await transport.sendChecked(
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
            // The TLS settings of another server say nothing about this one.
            maximumRedirects: tls == .standard ? HTTPRequest.mostRedirects : 0)
    }

    /// The IDs of the keys that have a `crlVersion`, without duplicates.
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

    /// Fetches the lists one after the other. Together they may be as large as `listSize`.
    private func lists(
        of issuer: Issuer, _ keyIDs: ArraySlice<KeyID>, deadline: ContinuousClock.Instant
    ) async throws(InstallationFault) -> [PublishedIssuer.List] {
        var lists: [PublishedIssuer.List] = []
        var left = listSize
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
        guard triesTLS else { return PublishedIssuer.TLS() }
        async let version13 = acceptance(.only13, by: issuer, deadline: deadline)
        async let version12 = acceptance(.only12, by: issuer, deadline: deadline)
        async let legacy = acceptance(.legacy, by: issuer, deadline: deadline)
        async let staticRSA = acceptance(.staticRSA, by: issuer, deadline: deadline)
        let ffdhe = await acceptance(.ffdhe, by: issuer, deadline: deadline)
        let strongFFDHE =
            ffdhe == .accepted ? await acceptance(.strongFFDHE, by: issuer, deadline: deadline) : .unknown
        return await PublishedIssuer.TLS(
            version13: version13, version12: version12, legacy: legacy, staticRSA: staticRSA, ffdhe: ffdhe,
            strongFFDHE: strongFFDHE)
    }

    private func acceptance(
        _ versions: TLSVersions, by issuer: Issuer, deadline: ContinuousClock.Instant
    ) async -> PublishedIssuer.Acceptance {
        let left = ContinuousClock.now.duration(to: deadline)
        guard left > .zero else { return .unknown }
        do throws(TransportFailure) {
            // The answer's content is not needed, so its body is not read.
            _ = try await transport.sendChecked(
                request(issuer.keySetURL, timeout: left, maximumBodySize: 0, tls: versions))
            return .accepted
        } catch {
            switch error.kind {
            // All of these happen after the version of TLS has been agreed on.
            case .certificate, .tooLarge, .redirect: return .accepted
            case .tls: return .refused
            default: return .unknown
            }
        }
    }
}

extension PublishedAnswer.Failure {
    init(_ failure: TransportFailure) {
        let kind: Kind =
            switch failure.kind {
            case .invalidURL: .invalidURL
            case .unresolvedName, .refusedAddress, .connection, .timeout: .unreachable
            case .tls: .tls
            case .certificate: .certificate
            case .tooLarge, .redirect, .protocolError: .answer
            case .fetcher, .installation, .certificateAuthorities, .cancelled: .machine
            }
        let detail: Detail? =
            switch (failure.kind, failure.cause) {
            case (.unresolvedName, _): .unresolvedName
            case (.refusedAddress, _): .refusedAddress
            case (.timeout, _): .timeout
            case (_, .expiredCertificate): .expiredCertificate
            case (_, .futureCertificate): .futureCertificate
            case (_, .otherHost): .otherHost
            case (_, .selfSigned), (_, .unknownAuthority), (_, .incompleteChain): .unknownAuthority
            case (_, .shortKey): .shortKey
            case (_, .refusedConnection): .refusedConnection
            case (_, nil): nil
            }
        self.init(kind, failure.message, detail: detail)
    }
}
