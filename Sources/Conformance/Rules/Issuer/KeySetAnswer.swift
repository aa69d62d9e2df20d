import Credentials
import Cryptography
import Directories
import Encodings
import SMARTHealthCards

extension Rule {
    /// The rules of a live issuer's server.
    static let issuerRules: [Rule] = [
        liveIssuerURL, liveIssuerURLForm, keySetAnswer, keySetStatus, keySetContent, keySetRedirect, tlsVersion,
        tlsLegacy, tlsStaticRSA, tlsWeakDHE, tlsCertificate, keySetCORS, keySetVary, keySetContentType, keySetCaching,
        keySetFreshness, revocationListAnswer, revocationListCORS, revocationListCounter, revocationListKey,
        liveIssuerTrust, liveSnapshotKeys, canonicalIssuer, directoryName,
    ]

    static let liveIssuerURL = Rule("invalid-issuer-url/live-issuer", RuleCheck.issuer) { subject in
        guard let failure = subject.failure, failure.kind == .invalidURL else { return [] }
        return .found(failure.message)
    }

    static let liveIssuerURLForm = Rule("invalid-issuer-url/live-issuer-form", RuleCheck.issuer) { subject in
        guard let issuer = try? Issuer(subject.issuer.url) else { return [] }
        return problems(ofFormOf: issuer, "the issuer's URL")
    }

    static let keySetAnswer = Rule("issuer-key-download-error/no-answer", RuleCheck.issuer) { subject in
        guard let failure = subject.failure, failure.kind != .invalidURL else { return [] }
        let url = subject.answers.keySet.url.quoted()
        guard failure.kind != .unasked else {
            return .found("the live issuer was not checked: \(failure.message)", severity: .unchecked)
        }
        return .found(
            "the key set cannot be fetched from \(url), so it was not checked: \(failure.message)",
            remedy: failure.remedy)
    }

    static let keySetStatus = Rule("issuer-key-download-error/status", RuleCheck.issuer) { subject in
        guard case .success(let response) = subject.answers.keySet.result, response.status != 200 else { return [] }
        return .found(
            "the server answers the request for the key set with status \(response.status), not 200: "
                + subject.answers.keySet.url.quoted(),
            remedy: PublishedAnswer.remedy(forStatus: response.status, of: "the key set"))
    }

    static let keySetContent = Rule("issuer-key-download-error/content", RuleCheck.issuer) { subject in
        subject.keySetProblem.map {
            [Problem("instead of a key set, the server sends \($0), with status 200")]
        } ?? []
    }

    static let keySetRedirect = Rule("issuer-key-download-error/redirect", RuleCheck.issuer) { subject in
        guard case .success(let response) = subject.answers.keySet.result, let last = response.redirects.last else {
            return []
        }
        return .found("the server redirects the request for the key set to \(last.quoted())")
    }

    // MARK: TLS

    static let tlsVersion = Rule("issuer-tls-error/version", RuleCheck.issuer) { subject in
        let tls = subject.answers.tls
        // A version may only have been refused because its key exchange is too weak, for which there are other rules.
        guard tls.version13 == .refused, tls.version12 == .refused, tls.staticRSA != .accepted,
            tls.ffdhe != .accepted
        else { return [] }
        let other = tls.legacy == .accepted ? ", only TLS 1.1 or 1.0" : ""
        return .found("the server accepts neither TLS 1.2 nor TLS 1.3\(other)")
    }

    static let tlsLegacy = Rule("issuer-tls-error/legacy", RuleCheck.issuer) { subject in
        guard subject.answers.tls.legacy == .accepted else { return [] }
        return .found("the server accepts TLS 1.1 or 1.0 from a client that offers nothing newer")
    }

    /// Who gets the server's key later can read everything that was sent before.
    static let tlsStaticRSA = Rule("issuer-tls-error/static-rsa", RuleCheck.issuer) { subject in
        let tls = subject.answers.tls
        if tls.staticRSA == .unknown, tls.version12 == .accepted {
            return .found("static RSA key exchange could not be tried", severity: .unchecked)
        }
        guard tls.staticRSA == .accepted else { return [] }
        return .found("the server accepts static RSA key exchange from a client that offers nothing else")
    }

    /// If the certificate has a short key, OpenSSL refuses that first, and nothing is known of the group.
    static let tlsWeakDHE = Rule("issuer-tls-error/weak-dhe", RuleCheck.issuer) { subject in
        let tls = subject.answers.tls
        if tls.version12 == .accepted,
            tls.ffdhe == .unknown || tls.ffdhe == .accepted && tls.strongFFDHE == .unknown
        {
            return .found("Diffie-Hellman key exchange could not be tried", severity: .unchecked)
        }
        guard tls.ffdhe == .accepted, tls.strongFFDHE == .refused, subject.failure?.kind != .certificate else {
            return []
        }
        return .found("the server accepts Diffie-Hellman key exchange in a group of less than 2048 bits")
    }

    static let tlsCertificate = Rule("issuer-tls-error/certificate", RuleCheck.issuer) { subject in
        guard let failure = subject.failure, failure.kind == .certificate else { return [] }
        return .found("the server's certificate is not accepted: \(failure.message)", remedy: failure.remedy)
    }

    // MARK: Headers

    static let keySetCORS = Rule("issuer-key-wellknown-endpoint-cors/key-set", RuleCheck.issuer) { subject in
        guard let response = subject.published,
            let problem = corsProblem(in: response, origin: subject.answers.origin, of: "the key set")
        else { return [] }
        return [problem]
    }

    /// Why a page of another origin may not read an answer (Fetch Standard, "CORS check"); nil if it may.
    static func corsProblem(in response: PublishedAnswer.Response, origin: String, of what: String) -> Problem? {
        guard let allowed = response.headers["access-control-allow-origin"] else {
            return Problem(
                "the server sends \(what) without Access-Control-Allow-Origin, although the request has an Origin "
                    + "(\(origin))")
        }
        guard !allowed.utf8.elementsEqual("*".utf8), !allowed.utf8.elementsEqual(origin.utf8) else { return nil }
        return Problem(
            "Access-Control-Allow-Origin of \(what) is \(allowed.quoted(upTo: 100)), neither \"*\" nor the Origin of "
                + "the request (\(origin))")
    }

    static let keySetVary = Rule("issuer-key-wellknown-endpoint-cors/vary", RuleCheck.issuer) { subject in
        guard let headers = subject.published?.headers, let allowed = headers["access-control-allow-origin"],
            allowed.utf8.elementsEqual(subject.answers.origin.utf8)
        else { return [] }
        let names = (headers["vary"] ?? "").split(separator: ",").map { field in
            String(field.filter { $0 != " " && $0 != "\t" }).lowercased()
        }
        guard !names.contains("origin"), !names.contains("*") else { return [] }
        return .found(
            "Access-Control-Allow-Origin of the key set repeats the Origin of the request, but Vary does not "
                + "contain Origin")
    }

    static let keySetContentType = Rule("issuer-response-error/content-type", RuleCheck.issuer) { subject in
        guard let headers = subject.published?.headers else { return [] }
        guard let field = headers["content-type"] else {
            return .found("the server sends the key set without Content-Type")
        }
        let type = field.prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" }.lowercased()
        guard type != "application/json", type != "application/jwk-set+json" else { return [] }
        return .found(
            "Content-Type of the key set is \(field.quoted(upTo: 100)), neither application/json nor "
                + "application/jwk-set+json")
    }

    static let keySetCaching = Rule("issuer-response-error/caching", RuleCheck.issuer) { subject in
        guard let headers = subject.published?.headers else { return [] }
        let names = ["cache-control", "expires", "etag", "last-modified"]
        guard names.allSatisfy({ headers[$0] == nil }) else { return [] }
        return .found(
            "the server sends the key set without Cache-Control, Expires, ETag and Last-Modified, so verifiers "
                + "have to guess how long to keep it")
    }

    static let keySetFreshness = Rule("issuer-response-error/freshness", RuleCheck.issuer) { subject in
        guard let seconds = subject.published?.statedFreshness, seconds > 86_400 else { return [] }
        return .found(
            "the key set may be kept for \(seconds) seconds (about \(seconds / 3600) hours), and a withdrawn "
                + "key with it")
    }

    static let liveIssuerTrust = Rule("issuer-not-trusted/live-issuer", RuleCheck.issuer) { subject in
        let trusted = subject.policy.trustedIssuers
        guard trusted.hasLists, trusted.trust(in: subject.issuer) == nil else { return [] }
        let near = trusted.nearMiss(of: subject.issuer).map { "; \($0)" } ?? ""
        return .found("the issuer \(subject.issuer.url.quoted()) is not listed in any directory\(near)")
    }

    static let liveSnapshotKeys = Rule("issuer-directory-mismatch/keys", RuleCheck.issuer) { subject in
        let snapshots = subject.policy.trustedIssuers.snapshots(of: subject.issuer)
        guard subject.keySet != nil, !snapshots.isEmpty else { return [] }
        let listed = points(of: snapshots.flatMap(\.keySet.keys))
        let published = points(of: subject.keys)
        let new = published.keys.filter { listed[$0] == nil }
        let gone = listed.keys.filter { published[$0] == nil }
        let changed = published.keys.filter { keyID in listed[keyID].map { $0 != published[keyID] } ?? false }
        return [
            ("the snapshot lacks keys that the issuer publishes", new),
            ("the snapshot has keys that the issuer no longer publishes", gone),
            ("the snapshot has another key under the same `kid`", changed),
        ].compactMap { words, keyIDs in keyIDs.isEmpty ? nil : Problem("\(words): \(names(of: keyIDs))") }
    }

    /// The coordinates of keys as they are written, by key id.
    private static func points(of keys: [JWK]) -> [KeyID: Set<[UInt8]>] {
        keys.reduce(into: [:]) { points, key in
            guard let keyID = key.keyID else { return }
            let point = ["x", "y"].map { key.value[$0]?.stringBytes ?? [] }.joined(separator: [UInt8(ascii: ".")])
            points[keyID, default: []].insert(Array(point))
        }
    }

    /// The first few of some key ids, in quotation marks.
    private static func names(of keyIDs: [KeyID]) -> String {
        let sorted = keyIDs.map { $0.description.quoted(upTo: 64) }.sorted()
        let rest = sorted.count > 3 ? " and \(sorted.count - 3) more" : ""
        return sorted.prefix(3).joined(separator: ", ") + rest
    }

    static let canonicalIssuer = Rule("issuer-directory-mismatch/canonical-issuer", RuleCheck.issuer) { subject in
        let trusted = subject.policy.trustedIssuers
        guard let canonical = trusted.entry(for: subject.issuer)?.canonicalIssuer else { return [] }
        let words = "in the directory, `canonical_iss` of this issuer is \(canonical.url.quoted()),"
        if canonical == subject.issuer { return .found("\(words) the issuer itself") }
        do throws(VerificationFailure) {
            _ = try Issuer(canonical.url)
        } catch {
            return .found("\(words) which is not an issuer: \(error.message)")
        }
        guard trusted.entry(for: canonical) == nil else { return [] }
        return .found("\(words) which is not in the directory")
    }

    static let directoryName = Rule("issuer-directory-mismatch/name", RuleCheck.issuer) { subject in
        guard let entry = subject.policy.trustedIssuers.entry(for: subject.issuer),
            entry.name?.unicodeScalars.contains(where: { !$0.properties.isWhitespace }) != true
        else { return [] }
        return .found("the directory has no name for this issuer")
    }

    // MARK: Revocation lists

    static let revocationListAnswer = Rule("revocation-error/list-download", RuleCheck.issuer) { subject in
        var problems = subject.lists.compactMap { list -> Problem? in
            let url = list.answer.url.quoted()
            switch list.answer.result {
            case .failure(let failure):
                return Problem("\(list.name) cannot be fetched from \(url): \(failure.message)")
            case .success(let response) where response.status != 200:
                let missing = response.status == 404 || response.status == 410 ? " (there is none)" : ""
                return Problem(
                    "the server answers the request for \(list.name) with status \(response.status)\(missing): "
                        + url,
                    remedy: PublishedAnswer.remedy(forStatus: response.status, of: "the list"))
            case .success:
                return list.problem.map { Problem("instead of \(list.name), the server sends \($0): \(url)") }
            }
        }
        if subject.answers.furtherLists > 0 {
            problems.add(
                "the revocation lists of \(subject.answers.furtherLists) more keys were not checked",
                severity: .warning)
        }
        return problems
    }

    static let revocationListCORS = Rule("issuer-key-wellknown-endpoint-cors/revocation-list", RuleCheck.issuer) {
        subject in
        subject.lists.compactMap { list in
            list.answer.published.flatMap { corsProblem(in: $0, origin: subject.answers.origin, of: list.name) }
        }
    }

    static let revocationListCounter = Rule("revocation-error/list-counter", RuleCheck.issuer) { subject in
        subject.lists.compactMap { list in
            guard let counter = list.counter, let version = list.versions.first(where: { $0 != counter }) else {
                return nil
            }
            let meaning =
                counter < version
                ? "verifiers take the list for outdated"
                : "verifiers that have an earlier list do not fetch this one"
            return Problem(
                "`ctr` of \(list.name) is \(counter), but `crlVersion` of the key is \(version), so \(meaning)",
                // An issuer that publishes the list first, and then the key set, is right to do so.
                severity: counter < version ? .error : .warning)
        }
    }

    static let revocationListKey = Rule("revocation-error/list-key", RuleCheck.issuer) { subject in
        subject.lists.compactMap { list in
            guard let listed = list.listedKeyID, listed != list.keyID else { return nil }
            return Problem("`kid` of \(list.name) is another key's: \(listed.description.quoted(upTo: 64))")
        }
    }
}

extension PublishedAnswer {
    /// How to correct the cause of a status other than 200, an instruction; nil if it is not known.
    ///
    /// - Parameter what: what was asked for, with its article.
    static func remedy(forStatus status: Int, of what: String) -> String? {
        switch status {
        case 404, 410:
            "Put \(what) at exactly this address, below the path of `iss`. If it is there, let the server send it: many servers hide "
                + "folders that begin with a dot, such as .well-known, and an application may answer for all paths."
        case 401, 403, 429: "Publish \(what) as a public file, without a login, a bot check or a strict rate limit."
        case 500...599:
            "Look in the log of the server for the cause of status \(status): the server has a fault, or one behind it does not "
                + "answer. Serve \(what) as a plain file, so that no application has to run for it."
        default: nil
        }
    }
}

extension PublishedAnswer.Failure {
    /// How to correct the cause, an instruction; nil if the cause is not known.
    fileprivate var remedy: String? {
        switch detail {
        case .expiredCertificate:
            "Renew the server's certificate, and let the server load the new one. Renew it by a timer from now on."
        case .futureCertificate:
            "Check the clock of the machine that lints. If it is right, use a certificate that is valid now."
        case .otherHost:
            "Get a certificate that has the host of `iss` among its names (SAN), or let the server answer to this host with the "
                + "certificate that has it (SNI)."
        case .unknownAuthority:
            "Use a certificate of a public authority, and configure the server to send the intermediate certificates too. An "
                + "authority of your own is given with --ca-file."
        case .shortKey: "Use a certificate with a key of at least 2048 bits for RSA, or 256 bits for elliptic curves."
        case .refusedConnection:
            "Start the web server, and let it listen on the port of the URL, which is 443 if the URL names none. Check the firewall."
        case .unresolvedName:
            "Check the host in the URL for a typing error. If it is right, add it to the public DNS."
        case .refusedAddress:
            "Publish the host with a public address. To check a server in a test network, use --allow-private-network."
        case .timeout:
            "Check that the server can be reached from here, and that no firewall drops the connection. A slow server can be given "
                + "more time with --timeout."
        case nil: nil
        }
    }
}
