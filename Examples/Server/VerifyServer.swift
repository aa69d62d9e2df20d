import Credentials
import Foundation
import HTTPSFetch
import HealthCertificates
import Hummingbird
import IssuerNetwork
import JOSE
import Logging
import SMARTHealthCards

/// A web server that verifies health cards:
///
///     verify-server PORT ISSUER [--jwks FILE] [--signers FILE]
///     curl --data-binary @card.smart-health-card http://127.0.0.1:PORT/verify
///
/// The body of a request is a card in any form but a picture, and the answer is the document of `shcverify --format json`. Its status
/// is 200 for every verdict: `verdict` says which. ISSUER is the issuer that is trusted. Its keys are in the file of --jwks. Without it,
/// `shcverify-fetch`, which has to be next to this program, fetches them. --signers is a trust list for EU certificates.
///
/// It listens on the loopback interface only. A server that does TLS has to be in front of it.
@main struct VerifyServer {
    /// The largest body in bytes. A file with a hundred cards is smaller.
    static let largestBody = 256 << 10
    /// The time for a request with its answer. A client that sends slowly must not hold a connection for long.
    static let timeout = Duration.seconds(15)

    static func main() async throws {
        guard let options = Options(CommandLine.arguments.dropFirst()) else {
            FileHandle.standardError.write(
                Data("usage: verify-server PORT ISSUER [--jwks FILE] [--signers FILE]\n".utf8))
            exit(64)
        }
        let desk = try desk(by: options)
        let router = Router()
        router.post("verify") { request, context in
            do {
                return try await limited(to: timeout) {
                    let body = try await request.body.collect(upTo: largestBody)
                    let report = try await desk.report(on: Array(body.readableBytesView))
                    return Response(
                        status: .ok, headers: [.contentType: "application/json", .cacheControl: "no-store"],
                        body: ResponseBody(byteBuffer: ByteBuffer(bytes: report)))
                }
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
    private static func desk(by options: Options) throws -> VerificationDesk {
        let issuer = try Issuer(options.issuer)
        var desk = VerificationDesk(source: IssuerClient(transport: FetchProcess.installed, limits: .init()))
        desk.trustedIssuers.allow(issuer)
        if let file = options.keys { desk.givenKeys.add(try JWKSet(bytes(of: file)), for: issuer) }
        if let file = options.signers { try desk.signers.add(list: bytes(of: file)) }
        return desk
    }

    private static func bytes(of file: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: file)))
    }

    /// Runs a task, and answers with status 503 if it takes too long.
    private static func limited(
        to time: Duration, _ work: @escaping @Sendable () async throws -> Response
    ) async throws -> Response {
        try await withThrowingTaskGroup(of: Response.self) { group in
            group.addTask(operation: work)
            group.addTask {
                try await Task.sleep(for: time)
                throw HTTPError(.serviceUnavailable, message: "the time for this request is up")
            }
            defer { group.cancelAll() }
            guard let first = try await group.next() else { throw CancellationError() }
            return first
        }
    }
}

/// The options of the command line.
private struct Options {
    let port: Int
    let issuer: String
    private(set) var keys: String?
    private(set) var signers: String?

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
            default: return nil
            }
        }
    }
}
