import Encodings
import Testing

@testable import Credentials

/// As of when a credential is verified.
@Suite struct VerificationTimeTests {
    /// Claims that only say when they were issued.
    private struct Issued: Claims {
        let issued: NumericDate?
        var issuer: UTF8Text? { nil }
        var keyID: UTF8Text? { nil }
        var expires: NumericDate? { nil }
        var types: [UTF8Text] { [] }
        var fhirVersion: UTF8Text? { nil }
        var fhirBundle: JSONValue? { nil }
    }

    private static func moment(_ seconds: Int64) -> NumericDate { NumericDate(sinceEpoch: .seconds(seconds)) }

    private let earlier = Issued(issued: moment(100))
    private let later = Issued(issued: moment(201))
    private let unknown = Issued(issued: nil)

    /// What is issued in the future has not been issued, so it is judged by the clock.
    @Test func credentialIsJudgedAsOfItsIssueButNotInTheFuture() {
        let time = VerificationTime(.issue, madeAt: Self.moment(200))
        #expect(time.common == nil)
        #expect(time.moment(for: earlier) == Self.moment(100) && time.statedMoment(for: earlier) == Self.moment(100))
        for claims in [later, unknown] {
            #expect(time.moment(for: claims) == Self.moment(200) && time.statedMoment(for: claims) == nil)
        }
        #expect(time.moment(for: nil) == Self.moment(200) && time.statedMoment(for: nil) == nil)
        let now = Issued(issued: Self.moment(200))
        #expect(time.moment(for: now) == Self.moment(200) && time.statedMoment(for: now) == nil)
    }

    @Test func givenTimeIsThatOfAllCredentials() {
        let time = VerificationTime(.given(Self.moment(300)), madeAt: Self.moment(200))
        for claims in [earlier, later, unknown] {
            #expect(time.moment(for: claims) == Self.moment(300) && time.statedMoment(for: claims) == Self.moment(300))
        }
        let clock = VerificationTime(madeAt: Self.moment(200))
        #expect(clock.moment(for: earlier) == Self.moment(200) && clock.statedMoment(for: earlier) == nil)
    }

    /// A span ends with the first moment at which something may be different, and begins with the last one.
    @Test func spanReachesFromTurnToTurn() {
        var span = ValiditySpan()
        #expect(span.contains(Self.moment(-1)) && span.contains(Self.moment(1_000)))
        span.narrow(to: [100, 300, 50, 400].map(Self.moment), around: Self.moment(200))
        #expect(!span.contains(Self.moment(99)) && span.contains(Self.moment(100)))
        #expect(span.contains(Self.moment(299)) && !span.contains(Self.moment(300)))
        var other = ValiditySpan()
        other.narrow(to: [150, 350].map(Self.moment), around: Self.moment(150))
        #expect(other.contains(Self.moment(150)) && !other.contains(Self.moment(149)))
        span.formIntersection(other)
        #expect(!span.contains(Self.moment(149)) && span.contains(Self.moment(150)))
        #expect(span.contains(Self.moment(299)) && !span.contains(Self.moment(300)))
    }
}
