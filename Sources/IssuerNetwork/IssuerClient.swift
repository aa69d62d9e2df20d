import JOSE
import JSON
public import SMARTHealthCards

/// Fetches what issuers publish: their keys and their revocation lists (SHC-K4, SHC-R2).
///
/// The issuer named in a card is the holder's claim until the signature verifies, and its server may be hostile. What
/// comes back is bounded, strictly parsed, and otherwise a failure in plain words.
public actor IssuerClient: EvidenceSource {
    /// How issuers may be asked.
    public struct Limits: Sendable {
        /// For the whole of one issuer's fetch, keys and lists together.
        public var timeout: Duration
        /// Whether loopback, link-local, private and other special-use addresses may be contacted.
        public var allowsPrivateNetwork: Bool
        /// A file of PEM certificates that are accepted as TLS roots beside the system's.
        public var certificateAuthorityFile: String?

        public init(
            timeout: Duration = .seconds(10), allowsPrivateNetwork: Bool = false,
            certificateAuthorityFile: String? = nil
        ) {
            self.timeout = timeout
            self.allowsPrivateNetwork = allowsPrivateNetwork
            self.certificateAuthorityFile = certificateAuthorityFile
        }
    }

    private let transport: any Transport
    private let limits: Limits
    /// How long each issuer has kept us waiting.
    private var spent: [Issuer: Duration] = [:]

    public init(transport: any Transport, limits: Limits) {
        self.transport = transport
        self.limits = limits
    }

    public func keys(of issuer: Issuer, current: Bool) async -> Result<Evidence.Keys, VerificationFailure> {
        do throws(FetchProblem) {
            let body = try await fetch(issuer.keySetURL, of: issuer, limit: Bounds.keySetSize)
            do throws(JWKSetError) {
                return .success(Evidence.Keys(try JWKSet(body), origin: .network))
            } catch {
                throw FetchProblem(Self.describe(body, expected: "a key set", error.description))
            }
        } catch {
            return .failure(
                VerificationFailure(
                    .keysUnavailable,
                    "the issuer's keys could not be had from \(JSONWriter.quoted(issuer.keySetURL)): \(error.message)"))
        }
    }

    public func revocationList(
        _ name: RevocationListName, atLeast counter: RevocationCounter?
    ) async -> Result<RevocationList, VerificationFailure> {
        do throws(FetchProblem) {
            let body = try await fetch(name.url, of: name.issuer, limit: Bounds.revocationListSize)
            do throws(RevocationListError) {
                let list = try RevocationList(body)
                guard list.keyID == name.keyID else { throw RevocationListError.otherKey }
                return .success(list)
            } catch {
                throw FetchProblem(Self.describe(body, expected: "a revocation list", error.description))
            }
        } catch {
            return .failure(
                VerificationFailure(
                    .revocationUnavailable,
                    "the revocation list could not be had from \(JSONWriter.quoted(name.url)): \(error.message)"))
        }
    }

    /// Why something could not be fetched, in plain words.
    private struct FetchProblem: Error {
        let message: String

        init(_ message: String) {
            self.message = message
        }
    }

    private func fetch(_ url: String, of issuer: Issuer, limit: Int) async throws(FetchProblem) -> [UInt8] {
        let left = limits.timeout - spent[issuer, default: .zero]
        guard left > .zero else { throw FetchProblem("the time for this issuer is used up") }
        let start = ContinuousClock.now
        let request = HTTPRequest(
            url: url, timeout: left, maximumBodySize: limit, allowsPrivateNetwork: limits.allowsPrivateNetwork,
            certificateAuthorityFile: limits.certificateAuthorityFile)
        defer { spent[issuer, default: .zero] += start.duration(to: .now) }
        let response: HTTPResponse
        do throws(TransportFailure) {
            response = try await transport.get(request)
        } catch {
            throw FetchProblem(error.message)
        }
        guard response.status == 200 else { throw FetchProblem(Self.describe(status: response.status)) }
        return response.body
    }

    private static func describe(status: Int) -> String {
        let meaning =
            switch status {
            case 300..<400: "a redirect that is not followed"
            case 401, 403: "access is refused"
            case 404, 410: "there is nothing at this address"
            case 429: "too many requests; try again later"
            case 500...: "the server has a problem; try again later"
            default: "not what was asked for"
            }
        return "the server answered with status \(status): \(meaning)"
    }

    private static func describe(_ body: [UInt8], expected: String, _ problem: String) -> String {
        let first = body.first { $0 > 0x20 }
        return switch first {
        case nil: "the server answered with nothing, not with \(expected)"
        case UInt8(ascii: "<"): "the server answered with HTML or XML, not with \(expected)"
        default: "the server's answer is not \(expected): \(problem)"
        }
    }
}
