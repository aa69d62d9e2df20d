import JOSE
import JSON
import SMARTHealthCards

/// Why something could not be fetched from an issuer, in plain words.
struct FetchProblem: Error {
    let message: String
    /// Whether it is that the issuer cannot be reached. A useless answer is an answer.
    let isUnreachable: Bool
    /// Whether the issuer answered, if not with what was asked for.
    var isAnswer = false
    /// Why nothing was asked, if it was not.
    var hindrance: IssuerClient.Hindrance?
    /// Whether nothing was to be asked, so that this says nothing of the issuer.
    var isUnasked = false
    /// What kind of failure it was, if there was no answer.
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
            // These are this machine's faults, or nobody's, and say nothing of the issuer. What ends the program that fetches
            // may even be its answer.
            case .installation, .certificateAuthorities, .fetcher, .cancelled: false
            // Someone who can break the connection or show another certificate could as well let nothing through.
            case .unresolvedName, .refusedAddress, .connection, .tls, .certificate, .timeout, .protocolError: true
            }
        isAnswer = [.redirect, .tooLarge].contains(failure.kind)
        cause = failure.kind
    }

    /// The lists have all the room there is for them.
    init(noRoomFor lists: ListRoom) {
        self.init(
            "the revocation lists of this run would have more than \(lists.maximum >> 20) MiB together",
            isUnreachable: false, isUnasked: true)
    }

    /// Nothing is fetched.
    init(_ hindrance: IssuerClient.Hindrance) {
        self.hindrance = hindrance
        isUnasked = hindrance == .offline
        isUnreachable = true
        message =
            switch hindrance {
            case .offline: "offline none can be fetched"
            }
    }

    /// The server answered, and not with the document.
    init(status: Int) {
        let meaning =
            switch status {
            case 304: "not modified, though no copy was asked about"
            case 300..<400: "a redirect that is not followed"
            case 401, 403: "access is refused"
            case 404, 410: "there is nothing at this address"
            case 429: "too many requests; try again later"
            case 500...: "the server has a problem; try again later"
            default: "not what was asked for"
            }
        message = "the server answered with status \(status): \(meaning)"
        // What stands before the issuer's server says so when that cannot be reached.
        isUnreachable = status == 408 || status == 429 || status >= 500
        isAnswer = !isUnreachable
    }

    /// The server answered with something else.
    init(_ body: [UInt8], expected: String, _ problem: String) {
        isUnreachable = false
        isAnswer = true
        let first = body.first { $0 > 0x20 }
        message =
            switch first {
            case nil: "the server answered with nothing, not with \(expected)"
            case UInt8(ascii: "<"): "the server answered with HTML or XML, not with \(expected)"
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
        guard problem.hindrance != nil else {
            return VerificationFailure(
                .keysUnavailable,
                "the issuer's keys could not be fetched from \(JSONWriter.quoted(issuer.keySetURL)): \(problem.message)"
                    + (copy.map { "; \($0)" } ?? ""))
        }
        let given =
            "no keys of this issuer were given"
            + (cache != nil && copy == nil ? " or are in the cache for these settings" : "")
        return VerificationFailure(
            .keysUnavailable, [given, copy, "and \(problem.message)"].compactMap(\.self).joined(separator: ", "),
            isUnasked: problem.isUnasked)
    }

    /// - Parameter isBehind: whether the copy's counter is less than the key says.
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
        guard problem.hindrance != nil else {
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
