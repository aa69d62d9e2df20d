import Credentials
import Foundation
import TestSupport
import Testing

/// All vectors, with the program's own parsing of their options. They run within this process, but for one of each reason.
@Suite struct VectorTests {
    static let cards = Vector.all(Paths.vectors.appendingPathComponent("vectors.json"))
    static let lint = Vector.all(Paths.vectors.appendingPathComponent("lint.json"), mode: "lint")
    static let certificates = cases("hcert").filter { decidedOtherwise[$0.id] == nil }
    static let checkIns = cases("check-in")
    static let handovers = cases("handover")

    private static func cases(_ folder: String) -> [Vector] {
        Vector.all(Paths.vectors.appendingPathComponent("\(folder)/cases.json"))
    }

    /// Cases that neither the contract nor the specification decides, and that are decided in another way than the generator
    /// guesses. Each has the reason.
    private static let decidedOtherwise = [
        "claims/iss-null": "the issuer is a text if it is there, and null is none"
    ]

    @Test func thereAreVectors() {
        #expect(Self.cards.count > 1000)
        #expect(Self.lint.count > 1350)
        #expect(Self.certificates.count > 1350)
        #expect(Self.checkIns.count > 190)
        #expect(Self.handovers.count > 100)
        #expect(Self.certificates.count + Self.decidedOtherwise.count == Self.cases("hcert").count)
    }

    @Test(arguments: cards) func agrees(with card: Vector) async throws { try await card.check() }

    @Test(arguments: lint) func findsTheExpectedRules(in document: Vector) async throws { try await document.check() }

    @Test(arguments: certificates) func agrees(withCertificate one: Vector) async throws { try await one.check() }

    @Test(arguments: checkIns) func agrees(withCheckIn one: Vector) async throws { try await one.check() }

    @Test(arguments: handovers) func agrees(withHandover one: Vector) async throws { try await one.check() }

    // MARK: With the program

    /// The reasons that need a server or a picture. Their tests are named.
    private static let testedElsewhere: [ReasonCode: String] = [
        .malformedManifest: "LinkTests", .malformedJWE: "LinkTests", .unsupportedEncryption: "LinkTests",
        .linkInactive: "LinkTests", .passcodeRequired: "LinkTests", .passcodeRejected: "LinkTests",
        .noCardsIssued: "FetchCardsTests", .providerUnavailable: "FetchCardsTests",
        .providerRefused: "FetchCardsTests", .noCodeFound: "PictureTests",
    ]

    /// The first vector of each reason and each command.
    private static let samples: [(reason: String, vector: Vector)] = {
        var seen: Set<String> = []
        return (cards + certificates + checkIns + handovers + lint).compactMap { vector in
            guard vector.reasons.count == 1 else { return nil }
            let reason = vector.reasons[0] ?? ""
            return seen.insert("\(vector.mode) \(reason) \(vector.firstCode)").inserted ? (reason, vector) : nil
        }
    }()

    @Test func eachReasonHasAVector() {
        let missing = Set(ReasonCode.allCases.map(\.rawValue)).subtracting(Self.samples.map(\.reason))
        #expect(missing == Set(Self.testedElsewhere.keys.map(\.rawValue)))
    }

    @Test(arguments: samples.map(\.vector)) func theProgramAgrees(with vector: Vector) async throws {
        try await vector.check(byProgram: true)
    }
}

/// The vectors of other projects.
@Suite(.enabled(if: SharedData.isPresent, "\(SharedData.absence)")) struct OthersVectorTests {
    private static func cases(_ folder: String) -> [Vector] {
        Vector.all(SharedData.conformance.appendingPathComponent("\(folder)/cases.json"))
    }

    /// A case from the time when drawings were not read is left out. `PictureTests` reads the drawing.
    private static let cards = Vector.all(
        SharedData.conformance.appendingPathComponent("cases/cases.json"), in: SharedData.conformance
    ).filter { $0.id != "spec/examples/00-svg" }
    private static let desk = cases("desk").filter { one in
        ["check-in", "envelope", "handover", "lint", "file"].contains { one.id.hasPrefix("desk/\($0)/") }
    }

    @Test func thereAreVectors() {
        #expect(Self.cards.count > 90)
        #expect(Self.cases("hcert").count > 390)
        #expect(Self.cases("who").count > 75)
        #expect(Self.desk.count > 130)
    }

    @Test(arguments: cards) func agrees(with card: Vector) async throws { try await card.check() }

    @Test(arguments: cases("hcert")) func agrees(withCertificate one: Vector) async throws { try await one.check() }

    @Test(arguments: cases("who")) func agrees(withWHO one: Vector) async throws { try await one.check() }

    @Test(arguments: desk) func agrees(withDesk one: Vector) async throws { try await one.check() }
}
