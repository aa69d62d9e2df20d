import Benchmark
import Deflate
import JOSE
import JSON
import SMARTHealthCards

// The way of a card, a stage at a time, and the whole of it. All of them work on the same card, again and again, so its
// bytes are in the cache, as they are in `batch` by the time of each stage but the first.

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
        let (verifier, card, evidence) = (
            Verifier(policy: try policy()), PresentedCard.vector(try Vector()), Evidence()
        )
        let inflater = try Inflater()
        benchmark.startMeasurement()
        for _ in benchmark.scaledIterations {
            blackHole(verifier.verify(ExaminedCard(card, inflater: inflater), with: evidence))
        }
    }

    Benchmark("8 whole card, 256 at a time") { benchmark in
        let verifier = try BulkVerifier(policy: try policy())
        let cards = [PresentedCard](repeating: .vector(try Vector()), count: 256)
        let (whole, rest) = benchmark.scaledIterations.count.quotientAndRemainder(dividingBy: cards.count)
        benchmark.startMeasurement()
        for _ in 0..<whole { blackHole(verifier.verify(cards, with: Evidence())) }
        blackHole(verifier.verify(Array(cards[..<rest]), with: Evidence()))
    }
}

/// With the vector's keys at hand, and nothing to fetch.
private func policy() throws -> VerificationPolicy {
    var policy = VerificationPolicy(now: NumericDate(sinceEpoch: .seconds(1_780_272_000)))
    policy.isOffline = true
    policy.givenKeys.add(try Vector().keys)
    return policy
}

extension PresentedCard {
    fileprivate static func vector(_ vector: Vector) -> PresentedCard {
        PresentedCard(jws: vector.text, source: "vector")
    }
}
