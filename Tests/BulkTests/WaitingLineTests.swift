import Credentials
import Foundation
import HTTPSFetch
import SMARTHealthCards
import TestSupport
import Testing
import VerificationTesting

@testable import Bulk

/// Which line of a batch waits for which answer, by a clock that the test sets.
@Suite(.timeLimit(.minutes(30))) struct WaitingLineTests {
    /// A line that needs nothing is judged meanwhile, and one that needs the same keys causes no other request.
    @Test func asksAgainForStaleKeysWhileOtherLinesGoOn() async throws {
        let issuer = MadeIssuer(try TestCardIssuer())
        let batch = try MadeBatch(issuer)
        let card = try issuer.card()
        try batch.write(card)
        #expect(try await batch.next() == "1 pass")
        issuer.advance(.seconds(299))
        try batch.write(card)
        #expect(try await batch.next() == "2 pass")
        #expect(issuer.requests == ["keys"])
        issuer.advance(.seconds(1))
        issuer.close()
        try batch.write(card)
        #expect(try await eventually { issuer.requests == ["keys", "keys"] })
        // The one thread takes a line after the other, so the card has been begun when the last line is judged.
        try batch.write(card, "x")
        #expect(try await eventually { batch.judged.all == ["pass", "pass", "malformed-input"] })
        issuer.open()
        for verdict in ["3 pass", "4 pass", "5 malformed-input"] { #expect(try await batch.next() == verdict) }
        #expect(try await batch.end().tally.verified == 4)
        #expect(issuer.requests == ["keys", "keys"])
    }

    /// They are in one block, which is the work of one thread.
    @Test func verdictsBeforeAWaitingCardAreWritten() async throws {
        let issuer = MadeIssuer(try TestCardIssuer())
        issuer.close()
        let batch = try MadeBatch(issuer, linesTogether: 128)
        try batch.write("x", issuer.card(), "y")
        #expect(try await batch.next() == "1 malformed-input")
        #expect(batch.judged.all.allSatisfy { $0 == "malformed-input" })
        issuer.open()
        #expect(try await batch.next() == "2 pass")
        #expect(try await batch.next() == "3 malformed-input")
        let result = try await batch.end()
        #expect(result.tally.lines == 3 && result.tally.verified == 1)
        guard case .finished(nil) = result.ending else {
            Issue.record("\(result.ending)")
            return
        }
    }

    /// Otherwise a card that needs two such answers would never have both.
    @Test func answerReachesTheLinesThatWaitForIt() async throws {
        var cards = try TestCardIssuer()
        cards.revoke("revoked")
        let issuer = MadeIssuer(cards, lifetime: .zero)
        let batch = try MadeBatch(issuer)
        try batch.write(issuer.card(revocationID: "other"))
        #expect(try await batch.next() == "1 pass")
        #expect(issuer.requests == ["keys", "list"])
        // They serve nobody else.
        try batch.write(issuer.card(revocationID: "revoked"))
        #expect(try await batch.next() == "2 revoked")
        #expect(issuer.requests == ["keys", "list", "keys", "list"])
        _ = try await batch.end()
    }

    @Test func unstorableAnswerIsKeptUntilTheRunHasCaughtUp() async throws {
        let issuer = MadeIssuer(try TestCardIssuer(), isUnkept: true)
        let batch = try MadeBatch(issuer, jobs: 2)
        let card = try issuer.card()
        // One thread is busy with the second line from now on, and the other one goes on.
        batch.judged.hold()
        try batch.write(card, "x")
        #expect(try await batch.next() == "1 pass")
        // The input paused, but an earlier line is still in work.
        try batch.write(card)
        #expect(try await eventually { batch.judged.all.count { $0 == "pass" } == 2 })
        batch.judged.release()
        #expect(try await batch.next() == "2 malformed-input")
        #expect(try await batch.next() == "3 pass")
        #expect(issuer.requests == ["keys"])
        // All lines are written. If the reader waits for the next one, the run has caught up. It may not do so at once.
        issuer.advance(.seconds(1))
        var line = 3
        while issuer.requests == ["keys"], line < 1000 {
            line += 1
            try batch.write(card)
            #expect(try await batch.next() == "\(line) pass")
        }
        #expect(issuer.requests == ["keys", "keys"])
        #expect(try await batch.end().tally.verified == line - 1)
    }

    // MARK: Interruption

    /// The next run begins with the line that waited. What was judged after it is dropped.
    @Test func interruptionCutsBeforeTheFirstLineThatWaits() async throws {
        let issuer = MadeIssuer(try TestCardIssuer())
        issuer.close()
        let folder = try TemporaryDirectory()
        let state = folder.url.path + "/state"
        let batch = try MadeBatch(issuer, linesTogether: 128, state: state)
        try batch.write("x", issuer.card(), "y")
        #expect(try await batch.next() == "1 malformed-input")
        try batch.write("z")
        #expect(try await eventually { batch.judged.all.count == 3 })
        batch.interrupt()
        #expect(try await batch.next() == nil)
        let result = try await batch.end()
        guard case .interrupted = result.ending else {
            Issue.record("\(result.ending)")
            return
        }
        #expect(result.tally.lines == 1)
        #expect(try BatchState.read(state, subjects: [])?.position == LinePosition(line: 2, offset: 2))
        // An answer that comes later changes nothing.
        issuer.open()
        #expect(issuer.requests == ["keys"])
    }

    /// No line was left without a verdict, but the input may have gone on.
    @Test func interruptionBetweenTwoLinesIsOne() async throws {
        let issuer = MadeIssuer(try TestCardIssuer())
        let batch = try MadeBatch(issuer)
        try batch.write(issuer.card())
        #expect(try await batch.next() == "1 pass")
        batch.interrupt()
        #expect(try await batch.next() == nil)
        let result = try await batch.end()
        guard case .interrupted = result.ending else {
            Issue.record("\(result.ending)")
            return
        }
        #expect(result.tally.lines == 1)
    }

    /// It says nothing about the card, so the card has no verdict.
    @Test func faultOfTheInstallationEndsTheRunBeforeTheLineThatWaits() async throws {
        let issuer = MadeIssuer(try TestCardIssuer(), fault: InstallationFault("broken"))
        let batch = try MadeBatch(issuer, linesTogether: 128)
        try batch.write("x", issuer.card(), "y")
        #expect(try await batch.next() == "1 malformed-input")
        #expect(try await batch.next() == nil)
        let result = try await batch.end()
        guard case .failed("broken") = result.ending else {
            Issue.record("\(result.ending)")
            return
        }
        #expect(result.tally.lines == 1)
    }
}
