import Credentials
import Cryptography
import Evidence
import HTTPSFetch
import HealthCertificates
import SMARTHealthCards
import Synchronization
import TestSupport
import Testing
import Verification

/// The door of the library, as other programs use it.
@Suite(.timeLimit(.minutes(30))) struct VerifierTests {
    private static let issuer = Issuer(unchecked: "https://issuer-a.example/cards")
    private static let moment = VerificationTime.Moment.given(NumericDate(sinceEpoch: .seconds(1_780_272_000)))

    private static func policy(trusting isTrusted: Bool = true) throws -> VerificationPolicy {
        var policy = VerificationPolicy(moment)
        if isTrusted { policy.cards.trustedIssuers.allow(issuer) }
        return policy
    }

    private static func card() throws -> [UInt8] { try VectorFiles.bytes("cards/inputs/jws.jws") }

    private static func keys() throws -> JWKSet { try JWKSet(VectorFiles.bytes("keys/issuer-a.jwks.json")) }

    /// Answers with the keys of the issuer. It counts its requests, and can be made to wait.
    private final class Source: EvidenceSource {
        let keys: JWKSet
        let count = Mutex(0)
        private let gate: AsyncStream<Void>
        private let opener: AsyncStream<Void>.Continuation
        private let waits: Bool

        init(_ keys: JWKSet, waits: Bool = false) {
            self.keys = keys
            self.waits = waits
            (gate, opener) = AsyncStream<Void>.makeStream()
        }

        func open() { opener.finish() }

        func keys(of issuer: Issuer, current: Bool) async throws(InstallationFault) -> Answered<IssuerKeys> {
            count.withLock { $0 += 1 }
            if waits { for await _ in gate {} }
            let now = NumericDate.now
            let end = NumericDate(sinceEpoch: now.sinceEpoch + .seconds(600))
            return Answered(
                .success(IssuerKeys(keys, origin: .network)), AnswerLifetime(from: now, to: end, currentTo: end))
        }

        func revocationList(
            _ name: RevocationListName, atLeast counter: RevocationCounter?
        ) async throws(InstallationFault) -> Answered<RevocationList> {
            throw InstallationFault("no list is asked for")
        }
    }

    @Test func everyKindAndCarrierIsJudgedInItsOrder() async throws {
        var policy = try Self.policy()
        policy.cards.givenKeys.add(try Self.keys(), for: Self.issuer)
        try policy.hcerts.signers.add(list: VectorFiles.bytes("hcert/trust/signers.pem"))
        let verifier = try Verifier(policy)
        let certificate = try VectorFiles.bytes("hcert/cards/valid-vaccination.hc1")
        let forged = try VectorFiles.bytes("cards/signature/payload-changed.jws")
        let input = try certificate + [0x0A] + Self.card() + [0x0A] + forged
        let verdicts = try await verifier.verify(input, source: "upload")
        // As of 2026, the certificate has expired.
        #expect(verdicts.map { $0.reason?.code } == [.expired, nil, .signatureInvalid])
        for file in ["file.smart-health-card", "parameters-urn-system.json", "qr-1-of-1.qr.txt"] {
            guard let bytes = try? VectorFiles.bytes("cards/inputs/\(file)") else { continue }
            #expect(try await verifier.verify(bytes, source: file).map(\.name) == ["pass"], "\(file)")
        }
        #expect(try await verifier.verify([], source: "nothing").map { $0.reason?.code } == [.emptyInput])
        // What is not read here may verify elsewhere.
        let picture = try VectorFiles.bytes("pictures/card.png")
        #expect(try await verifier.verify(picture, source: "photo").map { $0.reason?.code } == [.unreadableInput])
        let link = Array(
            "shlink:/eyJ1cmwiOiJodHRwczovL2xvY2FsaG9zdC9hIiwia2V5IjoiQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQSJ9"
                .utf8)
        #expect(try await verifier.verify(link, source: "link").map { $0.reason?.code } == [.linkUnavailable])
    }

    /// A forgotten line lets nobody in.
    @Test func aPolicyThatTrustsNobodyLetsNothingPass() async throws {
        let source = Source(try Self.keys())
        var policy = try Self.policy(trusting: false)
        let verdicts = try await Verifier(policy, source: source).verify(Self.card(), source: "upload")
        #expect(verdicts.map { $0.reason?.code } == [.issuerNotTrusted])
        #expect(source.count.withLock { $0 } == 0)
        policy.requiresTrust = false
        let open = try await Verifier(policy, source: source).verify(Self.card(), source: "upload")
        #expect(open.map(\.name) == ["pass"] && open.map(\.issuerTrust) == [.unchecked])
    }

    @Test func withoutASourceNothingIsFetched() async throws {
        let verdicts = try await Verifier(Self.policy()).verify(Self.card(), source: "upload")
        #expect(verdicts.map { $0.reason?.code } == [.keysUnavailable])
    }

    /// A server that does not answer leaves the verdict open, and says nothing about the card.
    @Test func timeThatIsUsedUpDecidesNothing() async throws {
        let source = Source(try Self.keys(), waits: true)
        var limits = Verifier.Limits()
        limits.time = .milliseconds(50)
        let verifier = try Verifier(Self.policy(), source: source, limits: limits)
        let verdicts = try await verifier.verify(Self.card(), source: "upload")
        // On a busy machine, the time may be used up before the issuer is asked.
        #expect(verdicts.map(\.name) == ["undetermined"])
        #expect(verdicts[0].reason?.message.contains("the time for this input was used up") == true)
        source.open()
    }

    /// The limit is for one input. What comes after it is not judged, and the next input is.
    @Test func inflatedPayloadsOfAnInputAreLimited() async throws {
        var policy = try Self.policy()
        policy.cards.givenKeys.add(try Self.keys(), for: Self.issuer)
        var limits = Verifier.Limits()
        limits.inputPayloadSize = 100
        let verifier = try Verifier(policy, limits: limits)
        let card = try Self.card()
        let forged = try VectorFiles.bytes("cards/signature/payload-changed.jws")
        let two = Array(Carrier.file([card, forged].map { $0.filter { $0 > 0x20 } }).utf8)
        for _ in 0..<5 {
            let verdicts = try await verifier.verify(two, source: "upload")
            #expect(verdicts.map { $0.reason?.code } == [nil, .unreadableInput])
        }
    }

    /// A verifier that lives for weeks does not take a directory for as young as it was at first, also if cards are judged as of
    /// another time.
    @Test func directoriesAgeWhileAVerifierLives() throws {
        let keys = try String(decoding: VectorFiles.bytes("keys/issuer-a.jwks.json"), as: UTF8.self)
        let list = keys[try #require(keys.firstIndex(of: "["))...(try #require(keys.lastIndex(of: "]")))]
        let snapshot =
            #"{"directory":"test","time":"2026-05-30T00:00:00Z","issuerInfo":[{"issuer":{"iss":"\#(Self.issuer.url)","name":"A"},"#
            + #""keys":\#(list),"crls":[],"lastRetrieved":"2026-05-30T00:00:00Z"}]}"#
        var policy = VerificationPolicy(Self.moment)
        policy.cards.trustedIssuers.add(try IssuerDirectory(Array(snapshot.utf8)))
        policy.cards.maximumDirectoryAge = .seconds(7 * 86_400)
        policy.cards.isOffline = true
        let verifier = try CredentialVerifier(policy: policy)
        let name = { (day: String) throws -> String in
            verifier.time = VerificationTime(Self.moment, madeAt: try #require(NumericDate(text: "\(day)T00:00:00Z")))
            let card = verifier.examine(PresentedCredential(jws: try Self.card().filter { $0 > 0x20 }, source: "card"))
            guard case .verdict(let verdict) = verifier.verify(card, with: EvidenceAnswers()) else {
                return "needs keys"
            }
            return verdict.name
        }
        #expect(try name("2026-06-02") == "pass")
        #expect(try name("2026-07-01") != "pass")
        #expect(try name("2026-06-02") == "pass")
    }

    /// A transport of another program does not lose the protection of private addresses.
    @Test(arguments: [
        "https://127.0.0.1/a", "https://localhost/a", "https://10.0.0.1", "https://[::1]/a",
        "https://169.254.169.254/x",
    ]) func addressesAreJudgedForEveryTransport(_ url: String) async throws {
        struct Plain: Transport {
            let sent = Mutex2()
            func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
                sent.value.withLock { $0 += 1 }
                return HTTPResponse(status: 200, body: Array("{\"keys\":[]}".utf8))
            }
        }
        final class Mutex2: Sendable { let value = Mutex(0) }
        let transport = Plain()
        let client = IssuerClient(transport: transport, limits: .init())
        let answer = try await client.keys(of: Issuer(unchecked: url), current: true)
        guard case .failure(let failure) = answer.result else {
            Issue.record("keys of \(url)")
            return
        }
        #expect(failure.code == .keysUnavailable && transport.sent.value.withLock { $0 } == 0)
    }
}
