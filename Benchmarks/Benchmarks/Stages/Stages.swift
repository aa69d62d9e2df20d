import Benchmark
import Credentials
import Cryptography
import Deflate
import JOSE
import SMARTHealthCards
import StrictJSON

// The stages of verifying a card, one by one and together. All measure the same card again and again. So its bytes are in the
// processor's cache, as they are in `batch` for every stage but the first.

let benchmarks: @Sendable () -> Void = {
    Benchmark.defaultConfiguration = .init(
        metrics: [.wallClock, .throughput], warmupIterations: 2, scalingFactor: .kilo, maxDuration: .seconds(2))

    Benchmark("1 base64url") { benchmark in
        let vector = try Vector()
        benchmark.startMeasurement()
        for _ in benchmark.scaledIterations { blackHole(try CompactJWS(vector.text)) }
    }

    Benchmark("2 inflate") { benchmark in
        let vector = try Vector()
        let inflater = try Inflater()
        benchmark.startMeasurement()
        for _ in benchmark.scaledIterations {
            blackHole(try inflater.inflate(vector.jws.payload, maximumSize: Bounds.payloadSize))
        }
    }

    Benchmark("3 JSON") { benchmark in
        let payload = try Inflater().inflate(try Vector().jws.payload, maximumSize: Bounds.payloadSize)
        benchmark.startMeasurement()
        for _ in benchmark.scaledIterations { blackHole(try JSONDocument.parse(payload)) }
    }

    Benchmark("4 SHA-256") { benchmark in
        let message = Array(try Vector().jws.signingInput)
        benchmark.startMeasurement()
        for _ in benchmark.scaledIterations { blackHole(SHA256.digest(message)) }
    }

    Benchmark("5 thumbprint") { benchmark in
        let vector = try Vector()
        benchmark.startMeasurement()
        for _ in benchmark.scaledIterations { blackHole(vector.key.thumbprint) }
    }

    Benchmark("6 ES256 by EVP, SHA-256 included") { benchmark in
        let vector = try Vector()
        benchmark.startMeasurement()
        for _ in benchmark.scaledIterations {
            blackHole(vector.key.isValid(vector.signature, for: vector.jws.signingInput))
        }
    }

    Benchmark("7 whole card, one by one") { benchmark in
        let verifier = try CardVerifier(policy: try policy())
        let card = PresentedCredential.vector(try Vector())
        let evidence = Evidence()
        benchmark.startMeasurement()
        for _ in benchmark.scaledIterations { blackHole(verifier.verify(verifier.examine(card), with: evidence)) }
    }

    Benchmark("8 whole card, 256 at a time") { benchmark in
        let verifier = try CardVerifier(policy: try policy())
        let cards = [PresentedCredential](repeating: .vector(try Vector()), count: 256)
        let (whole, rest) = benchmark.scaledIterations.count.quotientAndRemainder(dividingBy: cards.count)
        let evidence = Evidence()
        benchmark.startMeasurement()
        for _ in 0..<whole { blackHole(verifier.verify(cards.map { verifier.examine($0) }, with: evidence)) }
        blackHole(verifier.verify(cards[..<rest].map { verifier.examine($0) }, with: evidence))
    }
}

/// The vector's keys are given, so nothing is fetched.
private func policy() throws -> CardPolicy {
    var policy = CardPolicy(now: NumericDate(sinceEpoch: .seconds(1_780_272_000)))
    policy.requiresTrust = false
    policy.isOffline = true
    policy.givenKeys.add(try Vector().keys)
    return policy
}

extension PresentedCredential {
    fileprivate static func vector(_ vector: Vector) -> PresentedCredential {
        PresentedCredential(jws: vector.text, source: "vector")
    }
}
