import Credentials
import Cryptography
import Encodings
import SMARTHealthCards

/// The stages of verifying a card, one by one and together: a line with a name and nanoseconds for each.
///
/// All measure the same card again and again. So its bytes are in the processor's cache, as they are in `batch` for every stage but the first.
@main struct Stages {
    static func main() throws {
        let vector = try Vector()
        let inflater = try Inflater()
        let payload = try inflater.inflate(vector.jws.payload, maximumSize: Bounds.payloadSize)
        let message = Array(vector.jws.signingInput)
        let verifier = try CardVerifier(policy: policy(vector.keys))
        let card = PresentedCredential(jws: vector.text, source: "vector")
        let cards = [PresentedCredential](repeating: card, count: 256)
        let evidence = EvidenceAnswers()
        try measure("1 base64url") { use(try CompactJWS(vector.text)) }
        try measure("2 inflate") { use(try inflater.inflate(vector.jws.payload, maximumSize: Bounds.payloadSize)) }
        try measure("3 JSON") { use(try JSONDocument.parse(payload)) }
        try measure("4 SHA-256") { use(SHA256.digest(message)) }
        try measure("5 thumbprint") { use(vector.key.thumbprint) }
        try measure("6 ES256 by EVP, SHA-256 included") {
            use(vector.key.isValid(vector.signature, for: vector.jws.signingInput))
        }
        try measure("7 whole card, one by one") { use(verifier.verify(verifier.examine(card), with: evidence)) }
        try measure("8 whole card, 256 at a time", count: cards.count) {
            use(verifier.verify(cards.map { verifier.examine($0) }, with: evidence))
        }
    }

    /// Prints the median time of a stage, of 101 rounds of some milliseconds each.
    private static func measure(_ name: String, count: Int = 1, _ stage: () throws -> Void) throws {
        let clock = ContinuousClock()
        try stage()
        let once = try clock.measure { try stage() }
        let repetitions = max(1, Int(Duration.milliseconds(5) / once))
        let times = try (0..<101).map { _ in
            try clock.measure { for _ in 0..<repetitions { try stage() } } / (repetitions * count)
        }.sorted()
        print("\(name)\t\(Int(times[50] / .nanoseconds(1)))")
    }

    /// Keeps the compiler from leaving out what makes a value.
    @inline(never) private static func use<Value>(_ value: Value) {}

    /// The vector's keys are given, so nothing is fetched.
    private static func policy(_ keys: JWKSet) -> CardPolicy {
        var policy = CardPolicy(now: NumericDate(sinceEpoch: .seconds(1_780_272_000)))
        policy.requiresTrust = false
        policy.isOffline = true
        policy.givenKeys.add(keys)
        return policy
    }
}
