import CredentialReports
import Foundation
import Hummingbird
import Logging
import Verification

/// A web server that verifies health cards:
///
///     verify-server PORT ISSUER [--jwks FILE] [--signers FILE] [--at-once COUNT]
///     curl --data-binary @card.smart-health-card http://127.0.0.1:PORT/verify
///
/// The body of a request is a card in any form but a picture, and the answer is the document of `shcverify --format json`. Its
/// status is 200 for every verdict: `verdict` says which. ISSUER is the issuer that is trusted. Its keys are in the file of
/// --jwks. Without it, `shcverify-fetch`, which has to be next to this program, fetches them. --signers is a trust list for EU
/// certificates.
///
/// The status is 503 if a request takes too long, and for requests beyond the number of --at-once at the same time. Each may
/// need some megabytes, for the body and the inflated payloads.
///
/// It listens on the loopback interface only. A server that does TLS has to be in front of it.
@main struct VerifyServer {
    /// The largest body in bytes. A file with a hundred cards is smaller.
    static let largestBody = 256 << 10
    /// The time for a request with its answer. A client that sends slowly must not hold a connection for long.
    static let timeout = Duration.seconds(15)
    /// The largest number of requests at the same time, if the command line does not say so.
    static let usualPlaces = 64
    /// The largest size of all inflated payloads of a request together, in bytes.
    static let largestPayload = 4 << 20

    static func main() async throws {
        guard let options = Options(CommandLine.arguments.dropFirst()) else {
            FileHandle.standardError.write(
                Data("usage: verify-server PORT ISSUER [--jwks FILE] [--signers FILE] [--at-once COUNT]\n".utf8))
            exit(64)
        }
        let verifier = try verifier(by: options)
        let places = Places(options.places)
        let router = Router()
        router.post("verify") { request, context in
            guard await places.take() else {
                throw HTTPError(.serviceUnavailable, message: "there are too many requests at the same time")
            }
            let deadline = ContinuousClock.now + timeout
            let input: [UInt8]
            do {
                input = try await bytes(of: request.body, until: deadline)
            } catch {
                await places.giveBack()
                throw error
            }
            do {
                let report = try await report(on: input, by: verifier, until: deadline, givingBackTo: places)
                return Response(
                    status: .ok, headers: [.contentType: "application/json", .cacheControl: "no-store"],
                    body: ResponseBody(byteBuffer: ByteBuffer(bytes: report)))
            } catch let fault as InstallationFault {
                // This says nothing about the card, so there is no verdict.
                context.logger.error("\(fault.message)")
                throw HTTPError(.serviceUnavailable)
            }
        }
        let server = Application(
            router: router,
            server: .http1(configuration: .init(idleTimeout: .seconds(15))),
            configuration: .init(address: .hostname("127.0.0.1", port: options.port)))
        try await server.runService()
    }

    /// What verifies the cards, by the files that options name.
    private static func verifier(by options: Options) throws -> Verifier {
        let issuer = try Issuer(options.issuer)
        var policy = VerificationPolicy()
        policy.cards.trustedIssuers.allow(issuer)
        if let file = options.keys { policy.cards.givenKeys.add(try JWKSet(bytes(of: file)), for: issuer) }
        if let file = options.signers { try policy.hcerts.signers.add(list: bytes(of: file)) }
        var limits = Verifier.Limits()
        limits.time = timeout
        limits.inputPayloadSize = largestPayload
        return try Verifier(
            policy, source: IssuerClient(transport: FetchProcess.installed, limits: .init()), limits: limits)
    }

    private static func bytes(of file: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: file)))
    }

    /// Reads a body, and answers with status 503 if it has not ended in time.
    private static func bytes(of body: RequestBody, until deadline: ContinuousClock.Instant) async throws -> [UInt8] {
        try await withThrowingTaskGroup(of: [UInt8].self) { group in
            group.addTask { Array(try await body.collect(upTo: largestBody).readableBytesView) }
            group.addTask {
                try await Task.sleep(until: deadline, clock: .continuous)
                throw timeIsUp
            }
            defer { group.cancelAll() }
            guard let first = try await group.next() else { throw CancellationError() }
            return first
        }
    }

    /// The report on the cards in an input, which took one of the places. The status is 503 if it is not done in time.
    private static func report(
        on input: [UInt8], by verifier: Verifier, until deadline: ContinuousClock.Instant, givingBackTo places: Places
    ) async throws -> [UInt8] {
        do {
            let report = try await withThrowingTaskGroup(of: [UInt8].self) { group in
                group.addTask {
                    let verdicts = try await verifier.verify(input, source: "request")
                    let report = VerdictFormat.json.report(
                        now: .now, names: .builtIn, to: Destination(), by: Tool(name: "verify-server", version: "1"))
                    return report.text(of: verdicts)
                }
                group.addTask {
                    try await Task.sleep(until: deadline, clock: .continuous)
                    throw timeIsUp
                }
                defer { group.cancelAll() }
                guard let first = try await group.next() else { throw CancellationError() }
                return first
            }
            await places.giveBack()
            return report
        } catch {
            await places.giveBack()
            throw error
        }
    }

    private static var timeIsUp: HTTPError {
        HTTPError(.serviceUnavailable, message: "the time for this request is up")
    }
}

/// The places for requests that are answered at the same time.
private actor Places {
    private var free: Int

    init(_ count: Int) { free = count }

    /// Takes a place; false if there is none.
    func take() -> Bool {
        guard free > 0 else { return false }
        free -= 1
        return true
    }

    func giveBack() { free += 1 }
}

/// The options of the command line.
private struct Options {
    let port: Int
    let issuer: String
    private(set) var keys: String?
    private(set) var signers: String?
    private(set) var places = VerifyServer.usualPlaces

    /// Nil if the command line is wrong.
    init?(_ arguments: some Collection<String>) {
        var words = Array(arguments)[...]
        guard let port = words.popFirst().flatMap({ Int($0) }), let issuer = words.popFirst() else { return nil }
        self.port = port
        self.issuer = issuer
        while let option = words.popFirst() {
            guard let value = words.popFirst() else { return nil }
            switch option {
            case "--jwks": keys = value
            case "--signers": signers = value
            case "--at-once":
                guard let count = Int(value), count > 0 else { return nil }
                places = count
            default: return nil
            }
        }
    }
}
