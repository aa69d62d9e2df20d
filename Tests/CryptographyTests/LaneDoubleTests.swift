import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Cryptography

/// A library that answers wrongly never makes a pass of what EVP refuses in a sample, and its use ends.
@Suite(.enabled(if: LaneLibrary.hasCompiler, "no C compiler, or no headers of OpenSSL"))
struct LaneDoubleTests {
    /// How often, and with which count, it was said that the library is wrong.
    private final class Ends: Sendable {
        let counts = Mutex<[Int]>([])
    }

    private let ends = Ends()
    private let claims: [SignatureClaim]
    private let isGood: [Bool]

    /// Half of the signatures are good, in no regular order.
    init() throws {
        let signers = try (0..<4).map { _ in try Signer() }
        var (claims, isGood): ([SignatureClaim], [Bool]) = ([], [])
        for index in 0..<320 {
            let message = Array("message \(index)".utf8)
            let good = [true, true, false, true, false, false, true, false, false, true, false][index % 11]
            claims.append(
                SignatureClaim(
                    signature: try signers[index % 4].sign(message), key: signers[(index + (good ? 0 : 1)) % 4].key,
                    message: message[...]))
            isGood.append(good)
        }
        (self.claims, self.isGood) = (claims, isGood)
    }

    private func lanes(_ lie: LaneLibrary.Lie, after honestCalls: Int = 2) throws -> SignatureLanes {
        let folder = try #require(try LaneLibrary.double(lie, after: honestCalls))
        let path = folder.appendingPathComponent(LaneLibrary.name).path
        return try SignatureLanes(path: path, runsAnywhere: true) { [ends] count in
            ends.counts.withLock { $0.append(count) }
        }
    }

    /// The places that are confirmed, for so many claims at a time.
    private func confirmed(by confirmer: LaneConfirmer, size: Int, from start: Int) -> (places: [Int], good: Set<Int>) {
        let chosen = (start..<start + size).map { $0 % claims.count }
        let places = confirmer.confirmed(chosen.map { claims[$0] })
        return (places, Set(chosen.indices.filter { isGood[chosen[$0]] }))
    }

    @Test func honestOneStaysInUse() throws {
        let lanes = try lanes(.nothing)
        for (interval, calls) in [(1, 100), (1000, 1000)] {
            let confirmer = try #require(LaneConfirmer(lanes, rest: nil, interval: interval))
            for call in 0..<calls {
                let (places, good) = confirmed(by: confirmer, size: 32, from: 32 * call)
                #expect(Set(places) == good && places.count == good.count)
            }
        }
        #expect(lanes.isInUse && ends.counts.withLock { $0.isEmpty })
    }

    /// A library that is wrong about the example is not used at all.
    @Test(arguments: [LaneLibrary.Lie.acceptsAll, .refusesAll, .swapsLanes, .isRandom, .acceptsAllIfOneIsGood])
    func liarIsNotLoaded(_ lie: LaneLibrary.Lie) {
        #expect(throws: SignatureLanes.Problem.wrongAnswers) { try lanes(lie, after: 0) }
    }

    /// If each answer is a sample, nothing is ever confirmed that EVP refuses, in groups of every size.
    @Test(arguments: LaneLibrary.Lie.allCases.dropFirst(), 3...8)
    func confirmsNothingThatASampleRefutes(_ lie: LaneLibrary.Lie, size: Int) throws {
        let lanes = try lanes(lie)
        let confirmer = try #require(LaneConfirmer(lanes, rest: nil, interval: 1))
        for call in 0..<60 {
            let wasInUse = lanes.isInUse
            let (places, good) = confirmed(by: confirmer, size: size, from: size * call)
            #expect(good.isSuperset(of: places))
            if wasInUse, lanes.isInUse {
                #expect(places.count == good.count)
            } else {
                // EVP judges the group in which it was found to be wrong, and all later ones.
                #expect(places.isEmpty)
            }
        }
        #expect(!lanes.isInUse)
        #expect(ends.counts.withLock { $0.count } == 1, "it is said once")
    }

    /// With one sample of 1,000, the use always ends, and with it all that the same call has confirmed.
    @Test(arguments: LaneLibrary.Lie.allCases.dropFirst()) func useEnds(_ lie: LaneLibrary.Lie) throws {
        let lanes = try lanes(lie)
        // Several threads share the library. Each has samples of its own.
        let confirmers = try (0..<2).map { _ in try #require(LaneConfirmer(lanes, rest: nil)) }
        var (call, answers, wrong) = (0, 0, 0)
        while lanes.isInUse, answers < 1_000_000 {
            let (places, good) = confirmed(by: confirmers[call % 2], size: 32, from: 32 * (call / 2))
            wrong += places.count { !good.contains($0) }
            if !lanes.isInUse { #expect(places.isEmpty) }
            call += 1
            answers += 32
        }
        #expect(!lanes.isInUse, "\(answers) answers, \(wrong) of which were wrong")
        for confirmer in confirmers { #expect(confirmed(by: confirmer, size: 32, from: 0).places.isEmpty) }
        #expect(ends.counts.withLock { $0.count } == 1)
    }

    /// What fills an empty lane must not be confirmed. That needs no sample.
    @Test func confirmedFillerEndsTheUse() throws {
        let lanes = try lanes(.acceptsAll)
        let confirmer = try #require(LaneConfirmer(lanes, rest: nil))
        #expect(confirmed(by: confirmer, size: 7, from: 0).places.isEmpty)
        #expect(!lanes.isInUse)
    }

    /// After the end, what is left confirms as before.
    @Test func tablesGoOn() throws {
        let lanes = try lanes(.refusesAll)
        let confirmer = try #require(LaneConfirmer(lanes, rest: TableConfirmer(tables: KeyTables()), interval: 1))
        #expect(confirmed(by: confirmer, size: 32, from: 0).places.isEmpty)
        let (places, good) = confirmed(by: confirmer, size: 32, from: 32)
        #expect(Set(places) == good && !lanes.isInUse)
    }

    @Test func samplesAreOneOfAThousandAtUnforeseenPlaces() {
        var sampling = Sampling(1000)
        let chosen = (0..<50).map { _ in (0..<1000).filter { _ in sampling.isDue() } }
        #expect(chosen.allSatisfy { $0.count == 1 })
        #expect(Set(chosen).count > 25)
    }

    @Test func whatIsNoLibraryIsNotLoaded() throws {
        let folder = try TemporaryDirectory()
        let text = try folder.write("no library\n", to: LaneLibrary.name)
        for path in [text, "/nowhere/\(LaneLibrary.name)"] {
            #expect {
                try SignatureLanes(path: path, runsAnywhere: true) { _ in }
            } throws: { error in
                if case .notLoaded(let words)? = error as? SignatureLanes.Problem {
                    words.contains(path)
                } else {
                    false
                }
            }
        }
        let other = "/usr/lib/x86_64-linux-gnu/libcrypto.so.3"
        guard FileManager.default.fileExists(atPath: other) else { return }
        #expect(throws: SignatureLanes.Problem.otherInterface) {
            try SignatureLanes(path: other, runsAnywhere: true) { _ in }
        }
    }
}
