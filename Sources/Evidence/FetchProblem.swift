import Credentials
import Cryptography
import Encodings
import HTTPSFetch
import SMARTHealthCards

/// Why a document could not be fetched from an issuer, in plain words.
struct FetchProblem: Error {
    let message: String
    /// Whether the issuer cannot be reached. False if it gave an answer, even a useless one.
    let isUnreachable: Bool
    /// Whether the issuer answered, but without the document.
    var isAnswer = false
    /// Whether the user wants no requests.
    var isOffline = false
    /// Whether there was no need to ask the issuer. Then the problem says nothing about it.
    var isUnasked = false
    /// The kind of failure, if there was no answer.
    var cause: TransportFailure.Kind?

    init(_ message: String, isUnreachable: Bool, isUnasked: Bool = false) {
        self.message = message
        self.isUnreachable = isUnreachable
        self.isUnasked = isUnasked
    }

    init(_ failure: TransportFailure) {
        message = failure.message
        isUnreachable =
            switch failure.kind {
            case .invalidURL, .tooLarge, .redirect: false
            // These say nothing about whether the issuer can be reached. Its answer may even have ended the fetch
            // helper.
            case .installation, .certificateAuthorities, .fetcher, .cancelled: false
            // An attacker who can break the connection or present another certificate could also block all traffic.
            case .unresolvedName, .refusedAddress, .connection, .tls, .certificate, .timeout, .protocolError: true
            }
        isAnswer = [.redirect, .tooLarge].contains(failure.kind)
        cause = failure.kind
    }

    /// The problem if there is no room for another list.
    init(noRoomFor lists: MemoryBudget) {
        self.init(
            "the revocation lists of this run would take more than \(lists.maximum >> 20) MiB together",
            isUnreachable: false, isUnasked: true)
    }

    /// The problem if the user wants no requests.
    static var offline: FetchProblem {
        var problem = FetchProblem("none can be fetched offline", isUnreachable: true, isUnasked: true)
        problem.isOffline = true
        return problem
    }

    /// The problem if the server answered with an error or a redirect.
    init(status: Int) {
        message = HTTPResponse.words(forStatus: status)
        // Proxies and load balancers answer with these codes if they cannot reach the issuer's server.
        isUnreachable = status == 408 || status == 429 || status >= 500
        isAnswer = !isUnreachable
    }

    /// The problem if the server's answer is not the document.
    init(_ body: [UInt8], expected: String, _ problem: String) {
        isUnreachable = false
        isAnswer = true
        let first = body.first { $0 > 0x20 }
        message =
            switch first {
            case nil: "the server's answer is empty, not \(expected)"
            case UInt8(ascii: "<"): "the server's answer is HTML or XML, not \(expected)"
            default: "the server's answer is not \(expected): \(problem)"
            }
    }
}

extension IssuerClient {
    func keysUnavailable(_ issuer: Issuer, _ problem: FetchProblem, held: CachedDocument?) -> VerificationFailure {
        let copy = held.map { copy in
            let fate =
                switch copy.timePastFreshness(at: clock()) {
                case nil: "are from the future, by this machine's clock"
                case .some(..<Duration.zero): "lack the card's key"
                case .some: "are past their freshness"
                }
            return "those in the cache, retrieved \(copy.retrieved), \(fate)"
        }
        guard problem.isOffline else {
            return VerificationFailure(
                .keysUnavailable,
                "the issuer's keys could not be fetched from \(JSONWriter.quoted(issuer.keySetURL)): \(problem.message)"
                    + (copy.map { "; \($0)" } ?? ""))
        }
        let given =
            "no keys of this issuer were given"
            + (cache != nil && copy == nil ? ", the cache has none for these settings" : "")
        return VerificationFailure(
            .keysUnavailable, [given, copy, "and \(problem.message)"].compactMap(\.self).joined(separator: ", "),
            isUnasked: problem.isUnasked)
    }

    /// - Parameter isBehind: whether the copy's counter is lower than the key's `crlVersion`.
    func listUnavailable(
        _ name: RevocationListName, _ problem: FetchProblem, held: CachedDocument?, isBehind: Bool
    ) -> VerificationFailure {
        let copy = held.map { copy in
            let fate =
                if isBehind { "is older than the key says" } else if copy.timePastFreshness(at: clock()) == nil {
                    "is from the future, by this machine's clock"
                } else { "is past its freshness" }
            return "the copy in the cache, retrieved \(copy.retrieved), \(fate)"
        }
        guard problem.isOffline else {
            return VerificationFailure(
                .revocationUnavailable,
                "the revocation list could not be fetched from \(JSONWriter.quoted(name.url)): \(problem.message)"
                    + (copy.map { "; \($0)" } ?? ""),
                isUnasked: problem.isUnasked)
        }
        let list =
            "the revocation list of the key \(name.keyID.description.quoted()), published at "
            + "\(name.url.quoted(upTo: 4096)), was not given"
        return VerificationFailure(
            .revocationUnavailable, [list, copy, "and \(problem.message)"].compactMap(\.self).joined(separator: ", "),
            isUnasked: problem.isUnasked)
    }
}
