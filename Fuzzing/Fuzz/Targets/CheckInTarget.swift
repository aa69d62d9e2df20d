import Containers
import Credentials
import Cryptography
import Encodings

/// SMART Health Check-in: a response, an encrypted answer (both JSON), and what is in an answer after it was decrypted (CBOR).
enum CheckInTarget: FuzzTarget {
    static let name = "check-in"

    /// The session of the test vectors.
    private static let session: CheckInSession = {
        guard let request = try? CheckInRequest(file: FixedPolicy.vector("check-in/navigator.json")),
            let jwk = try? JSONDocument.parse(FixedPolicy.vector("check-in/recipient-key.json")),
            let x = number("x", of: jwk), let y = number("y", of: jwk), var secret = number("d", of: jwk),
            let publicKey = try? P256PublicKey(x: x, y: y), let key = P256AgreementKey(&secret, publicKey: publicKey)
        else { fatalError("the vectors have a request and its key") }
        return CheckInSession(request: request, recipientKey: key, origin: "https://clinic.example")
    }()

    private static func number(_ name: String, of jwk: JSONValue) -> [UInt8]? {
        jwk[name]?.stringBytes.flatMap { try? Base64URL.decode($0) }
    }

    /// The decrypted answers that the wallet of the vectors has signed for this session, in hexadecimal (seeds.py).
    private static let signed = FixedPolicy.lines(of: "signed-answers.txt")

    static func run(_ bytes: [UInt8]) {
        guard let information = session.request?.encryption?.information else { fatalError("the request has it") }
        let transcript = CheckInSession.transcript(information, origin: "https://clinic.example")
        if let answer = try? DeviceResponse(bytes, transcript: transcript, at: FixedPolicy.now), answer.isWhole {
            require(signed.contains(Array(answer.response.hexadecimal.utf8)), "the wallet has signed this response")
        }
        // A response that nobody encrypted is refused if there is a key.
        for session in [session, CheckInSession(request: session.request)] { open(bytes, in: session) }
    }

    private static func open(_ bytes: [UInt8], in session: CheckInSession) {
        let opened = OpenedCheckIn(bytes, in: session, index: 0, source: "fuzz", at: FixedPolicy.now).checkIn
        require(opened.artifacts.count <= 1_000 && opened.items.count <= 1_000, "artifacts and items are limited")
        require(opened.findings.count <= 9, "each code of a finding is there once")
        if opened.reason != nil, opened.reason?.code != .noSignedContent {
            require(opened.artifacts.isEmpty && opened.items.isEmpty, "nothing of a check-in that failed is used")
        }
        let valid = Set(opened.artifacts.filter { $0.disregarded == nil }.compactMap(\.id))
        for item in opened.items {
            require(item.artifacts.allSatisfy(valid.contains), "an artifact that is disregarded meets nothing")
            require(!item.isMet || !item.artifacts.isEmpty, "nothing is met without an artifact")
        }
    }
}
