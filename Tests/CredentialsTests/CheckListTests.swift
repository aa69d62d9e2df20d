import Encodings
import Testing

@testable import Credentials

/// Only a complete list of passed checks creates a `Verified`.
@Suite struct CheckListTests {
    /// A credential whose claims say nothing, or that has none.
    final class Examined: ExaminedCredential, Claims {
        let hasClaims: Bool
        let signed: SignedOctets? = nil
        let sourceType = "test"
        let presented = PresentedCredential(jws: [], source: "test")
        var claims: (any Claims)? { hasClaims ? self : nil }
        var issuer: UTF8Text? { nil }
        var keyID: UTF8Text? { nil }
        var issued: NumericDate? { nil }
        var expires: NumericDate? { nil }
        var types: [UTF8Text] { [] }
        var fhirVersion: UTF8Text? { nil }
        var fhirBundle: JSONValue? { nil }

        init(hasClaims: Bool = true) { self.hasClaims = hasClaims }
    }

    private static func key(
        _ checks: [(Check.Name, Bool)] = [(.issuerTrust, true), (.key, true)],
        _ requirement: TrustRequirement = .required, trust: IssuerTrust = .directory
    ) -> KeyNotes {
        var draft = KeyNotes.Draft(requirement)
        draft.trust = trust
        for (name, passes) in checks { if passes { draft.pass(name, "") } else { draft.skip(name, .notAsked, "") } }
        return KeyNotes(draft)
    }

    /// A list with these checks, each passed or skipped.
    private static func list(
        _ checks: [(Check.Name, Bool)], key: KeyNotes? = key(), _ revocation: RevocationRequirement = .notAsked,
        skipping why: Check.SkipReason = .notAsked, on presented: PresentedCredential? = nil
    ) -> CheckList {
        var list = CheckList(revocation, on: presented)
        for (index, (name, passes)) in checks.enumerated() {
            if index == 1, let key { list.adopt(key) }
            list.add(name, passes ? .pass(.text("")) : .skip(name == .revocation ? why : .notAsked, ""))
        }
        return list
    }

    private static let all: [(Check.Name, Bool)] = [
        (.format, true), (.signature, true), (.validity, true), (.revocation, false), (.records, false),
    ]

    @Test func completeListPasses() {
        let verdict = Verdict(of: Examined(), Self.list(Self.all))
        #expect(verdict.name == "pass" && verdict.verified != nil)
        #expect(verdict.checks.map(\.name) == Check.Name.allCases)
    }

    /// A credential from a container has the check of that, which comes first.
    @Test func whatHoldsACredentialIsChecked() {
        let link = OpenedLink(
            index: 0, source: "l", form: "bare", origin: nil, label: nil, flags: nil, version: 1, expires: nil,
            recipient: "r", files: [OpenedLink.File()])
        let contained = PresentedCredential(jws: [], source: "x").from(
            PlaceInContainer(link, item: 0), source: "l#0")
        let opened = Verdict(of: Examined(), Self.list(Self.all, on: contained))
        #expect(opened.verified != nil && opened.checks.map(\.name) == Check.Name.ofContained)
        #expect(opened.checks.first?.word == "link" && opened.checks.first?.status == .pass)
        #expect(Verdict(of: Examined(), Self.list(Array(Self.all.dropLast()), on: contained)).verified == nil)
        let gone = PresentedCredential(failure: VerificationFailure(.linkInactive, "gone"), source: "x").from(
            PlaceInContainer(link, item: nil), source: "l#0")
        let unopened = Verdict(of: Examined(), CheckList(.notAsked, on: gone))
        #expect(unopened.reason?.code == .linkInactive && unopened.checks.map(\.name) == Check.Name.ofContained)
        #expect(unopened.checks.first?.status == .fail)
        #expect(unopened.checks.dropFirst().allSatisfy { $0.why == .notReached })
    }

    @Test func failedCheckEndsTheList() {
        var list = Self.list(Array(Self.all.prefix(1)))
        list.adopt(Self.key())
        list.add(.signature, .fail(VerificationFailure(.signatureInvalid, "no")))
        let verdict = Verdict(of: Examined(), list)
        #expect(verdict.verified == nil && verdict.reason?.code == .signatureInvalid)
        #expect(verdict.checks.map(\.name) == Check.Name.allCases)
        #expect(verdict.checks.suffix(3).allSatisfy { $0.status == .skipped && $0.detail == "not reached" })
    }

    @Test func failedKeyCheckEndsTheList() {
        var draft = KeyNotes.Draft(.required)
        let failure = VerificationFailure(.keysUnavailable, "no")
        draft.skip(.issuerTrust, .notReached, "")
        draft.fail(.key, failure)
        var list = Self.list(Array(Self.all.prefix(1)))
        list.adopt(KeyNotes(draft))
        let verdict = Verdict(of: Examined(), list)
        #expect(verdict.name == "undetermined" && verdict.verified == nil)
        #expect(verdict.checks.map(\.name) == Check.Name.allCases)
    }

    // MARK: The order

    /// Writes down which of its functions run. Each check passes, but for one that does not.
    private struct Checks: CredentialChecks {
        struct NeedsKeys: Error {}
        typealias Need = NeedsKeys

        var failing: Check.Name?
        var key = CheckListTests.key()
        var isEntitled = true
        var needsKeys = false
        let revocationRequirement = RevocationRequirement.notAsked
        var warnings: [CredentialWarning] = []
        var made: [Check.Name] = []

        private mutating func make(_ name: Check.Name) -> CheckResult {
            made.append(name)
            warnings.append(CredentialWarning(.keyLabel, name.rawValue))
            return name == failing ? .fail(VerificationFailure(.unreadableInput, "no")) : .pass(.text(""))
        }

        mutating func format() -> FormFinding<Int> {
            guard case .fail(let failure, _, _) = make(.format) else { return .correct(1, .text("")) }
            return .wrong(failure)
        }
        mutating func key(of form: Int) throws(NeedsKeys) -> KeyFinding<String> {
            guard !needsKeys else { throw NeedsKeys() }
            let result = make(.key)
            guard key.failure == nil || !isEntitled else { return .none(key) }
            guard case .fail(let failure, _, _) = result else {
                return isEntitled ? .found(key, "key") : .notEntitled(key, "key")
            }
            return .absent(CheckListTests.key([(.issuerTrust, true)]), failure)
        }
        mutating func signature(of form: Int, by key: String) -> CheckResult { make(.signature) }
        mutating func validity(of form: Int, by key: String) -> CheckResult { make(.validity) }
        mutating func revocation(of form: Int, by key: String) -> CheckResult { make(.revocation) }
        mutating func records(of form: Int) -> CheckResult { make(.records) }
    }

    @Test func checksRunInTheOrderOfTheirNames() throws {
        var checks = Checks()
        let verdict = try checks.verdict(on: Examined())
        #expect(verdict.verified != nil && verdict.checks.map(\.name) == Check.Name.allCases)
        #expect(checks.made == Check.Name.allCases.filter { $0 != .issuerTrust })
        #expect(verdict.warnings.map(\.message) == checks.made.map(\.rawValue) && checks.warnings.isEmpty)
    }

    @Test(arguments: Check.Name.allCases.filter { $0 != .issuerTrust })
    func nothingRunsAfterACheckThatDoesNotPass(_ name: Check.Name) throws {
        var checks = Checks(failing: name)
        let verdict = try checks.verdict(on: Examined())
        #expect(verdict.verified == nil && verdict.checks.map(\.name) == Check.Name.allCases)
        #expect(checks.made.last == name)
        #expect(verdict.warnings.map(\.message) == checks.made.map(\.rawValue), "the warnings of that check count")
        for check in verdict.checks {
            #expect((check.why == .notReached) == (check.name.place > name.place))
        }
    }

    @Test func nothingRunsAfterAFailureOfTheIssuer() throws {
        var draft = KeyNotes.Draft(.required)
        draft.fail(.issuerTrust, VerificationFailure(.issuerNotTrusted, "no"))
        var checks = Checks(key: KeyNotes(draft))
        let verdict = try checks.verdict(on: Examined())
        #expect(verdict.reason?.code == .issuerNotTrusted && checks.made == [.format, .key])
        #expect(verdict.checks.first { $0.name == .key }?.why == .notReached)
    }

    /// A key that may not sign such a credential fails the check `key`, although the signature and the dates are right.
    @Test func keyThatIsNotEntitledDoesNotPass() throws {
        var draft = KeyNotes.Draft(.required)
        draft.trust = .directory
        draft.pass(.issuerTrust, "")
        draft.fail(.key, VerificationFailure(.certificateInvalid, "no"))
        var checks = Checks(key: KeyNotes(draft), isEntitled: false)
        let verdict = try checks.verdict(on: Examined())
        #expect(verdict.verified == nil && verdict.reason?.code == .certificateInvalid)
        #expect(verdict.checks.map(\.status) == [.pass, .pass, .fail, .pass, .pass, .skipped, .skipped])
        // A kind that says so of a key without saying why passes nothing either.
        checks = Checks(isEntitled: false)
        #expect(Self.isUnjudged(try checks.verdict(on: Examined())))
    }

    @Test func verdictWaitsForEvidence() {
        var checks = Checks(needsKeys: true)
        #expect(throws: Checks.NeedsKeys.self) { try checks.verdict(on: Examined()) }
        #expect(checks.made == [.format])
    }

    // If a bug leaves out a check, nothing may pass. The verdict says that it is a fault of the program.

    private static func isUnjudged(_ verdict: Verdict) -> Bool {
        verdict.verified == nil && verdict.name == "undetermined" && verdict.reason?.code == .unreadableInput
            && verdict.reason?.message.contains("a fault of the program") == true
            && Set(verdict.checks.map(\.name)).isSuperset(
                of: Check.Name.allCases.filter { $0 != .issuerTrust && $0 != .key })
    }

    /// A check that a bug forgets is marked, whichever it is.
    @Test(arguments: all.map(\.0)) func forgottenCheckIsMarked(_ name: Check.Name) throws {
        let verdict = Verdict(of: Examined(), Self.list(Self.all.filter { $0.0 != name }))
        #expect(Self.isUnjudged(verdict))
        let check = try #require(verdict.checks.first { $0.name == name })
        #expect(check.why == .notReached && check.detail == "not made")
    }

    @Test func credentialWithoutClaimsDoesNotPass() {
        #expect(Self.isUnjudged(Verdict(of: Examined(hasClaims: false), Self.list(Self.all))))
    }

    /// A check of the key that did not pass lets nothing pass, even if a bug forgets to end the list.
    @Test(arguments: [ReasonCode.keysUnavailable, .keyInvalid])
    func forgottenEndOfTheListDoesNotPass(_ code: ReasonCode) {
        var draft = KeyNotes.Draft(.required)
        draft.trust = .directory
        draft.pass(.issuerTrust, "")
        draft.fail(.key, VerificationFailure(code, "no"))
        var list = Self.list(Array(Self.all.prefix(1)))
        list.adopt(KeyNotes(draft), endsList: false)
        for (name, passes) in Self.all.dropFirst() {
            list.add(name, passes ? .pass(.text("")) : .skip(.notAsked, ""))
        }
        #expect(Self.isUnjudged(Verdict(of: Examined(), list)))
    }

    /// What comes first counts, since the later one may only follow from it.
    @Test func firstFailureOfAKeyIsTheReason() {
        var draft = KeyNotes.Draft(.required)
        draft.fail(.issuerTrust, VerificationFailure(.issuerNotTrusted, "no"))
        draft.fail(.key, VerificationFailure(.keyInvalid, "no"))
        #expect(KeyNotes(draft).failure?.code == .issuerNotTrusted)
    }

    @Test func listWithoutKeyDoesNotPass() {
        #expect(Self.isUnjudged(Verdict(of: Examined(), Self.list(Self.all, key: nil))))
    }

    @Test func skippedSignatureDoesNotPass() {
        var checks = Self.all
        checks[1].1 = false
        #expect(Self.isUnjudged(Verdict(of: Examined(), Self.list(checks))))
    }

    @Test func skippedKeyDoesNotPass() {
        let key = Self.key([(.issuerTrust, true), (.key, false)])
        #expect(Self.isUnjudged(Verdict(of: Examined(), Self.list(Self.all, key: key))))
    }

    @Test func skippedTrustPassesOnlyIfNobodyAskedForTrust() {
        let key = Self.key([(.issuerTrust, false), (.key, true)], .notAsked, trust: .unchecked)
        #expect(Verdict(of: Examined(), Self.list(Self.all, key: key)).verified != nil)
        let other = Self.key([(.issuerTrust, false), (.key, true)])
        #expect(Self.isUnjudged(Verdict(of: Examined(), Self.list(Self.all, key: other))))
    }

    @Test func skippedRevocationPassesOnlyIfNobodyAskedForItOrThereIsNothingToLookUp() {
        let key = Self.key()
        #expect(Verdict(of: Examined(), Self.list(Self.all, key: key, .notAsked)).verified != nil)
        for requirement in [RevocationRequirement.notAsked, .required] {
            let list = Self.list(Self.all, key: key, requirement, skipping: .notApplicable)
            #expect(Verdict(of: Examined(), list).verified != nil)
        }
        do {
            let list = Self.list(Self.all, key: Self.key(), .required)
            #expect(Self.isUnjudged(Verdict(of: Examined(), list)))
        }
        let list = Self.list(Self.all, key: Self.key(), skipping: .notReached)
        #expect(Self.isUnjudged(Verdict(of: Examined(), list)))
    }

    /// A card is called genuine and over only if nothing else is wrong with it.
    @Test func lapseNeedsAllChecksBeforeIt() {
        let end = NumericDate(sinceEpoch: .zero)
        let expired = VerificationFailure(.expired, "no")
        let verdict = { (checks: [(Check.Name, Bool)], key: KeyNotes, lapse: Lapse?) in
            var list = Self.list(checks, key: key)
            list.add(.validity, .fail(expired, only: lapse.map(Shortcoming.lapse)))
            return Verdict(of: Examined(), list)
        }
        let signed = Array(Self.all.prefix(2))
        #expect(verdict(signed, Self.key(), .expired(end)).lapse == .expired(end))
        #expect(verdict(signed, Self.key(), nil).lapse == nil)
        #expect(verdict([(.format, true), (.signature, false)], Self.key(), .expired(end)).lapse == nil)
        #expect(verdict(signed, Self.key([(.issuerTrust, true), (.key, false)]), .expired(end)).lapse == nil)
        #expect(verdict(signed, Self.key(trust: .untrusted), .expired(end)).lapse == nil)
        let unasked = Self.key([(.issuerTrust, false), (.key, true)], .notAsked, trust: .unchecked)
        #expect(verdict(signed, unasked, .expired(end)).lapse == .expired(end))
        #expect(Verdict(of: Examined(), Self.list(Self.all)).lapse == nil)
    }

    /// A card is called genuine only by a check that comes after its signature.
    @Test func shortcomingNeedsAllChecksBeforeIt() {
        let verdict = { (count: Int, name: Check.Name, revocation: RevocationRequirement, shortcoming: Shortcoming) in
            var list = Self.list(Array(Self.all.prefix(count)), revocation)
            list.add(name, .fail(VerificationFailure(.recordsNotMatching, "no"), only: shortcoming))
            return Verdict(of: Examined(), list)
        }
        let lacking = verdict(4, .records, .notAsked, .lacksRecords)
        #expect(lacking.shortcoming == .lacksRecords && lacking.lapse == nil)
        #expect(verdict(4, .records, .required, .lacksRecords).shortcoming == nil)
        #expect(verdict(3, .records, .notAsked, .lacksRecords).shortcoming == nil)
        #expect(verdict(2, .validity, .notAsked, .notYetValid).shortcoming == .notYetValid)
        #expect(verdict(1, .signature, .notAsked, .notYetValid).shortcoming == nil)
        let failing = { (checks: [Check.Name], name: Check.Name) in
            var list = Self.list([(.format, true)])
            list.adopt(Self.key())
            for check in checks { list.add(check, .pass(.text(""))) }
            list.add(name, .fail(VerificationFailure(.recordsNotMatching, "no"), only: .lacksRecords))
            return Verdict(of: Examined(), list).shortcoming
        }
        #expect(failing([.signature, .validity, .revocation], .records) == .lacksRecords)
        #expect(failing([.validity, .signature, .revocation], .records) == nil, "another order")
        #expect(failing([], .signature) == nil, "the signature itself")
    }

    /// A credential with which something else is wrong is not only over.
    @Test func objectionsAreNoLapse() {
        var list = Self.list(Array(Self.all.prefix(2)))
        let end = NumericDate(sinceEpoch: .zero)
        list.add(
            .validity,
            .fail(VerificationFailure(.expired, "no"), only: .lapse(.expired(end)), besides: [.lacksRecords]))
        let verdict = Verdict(of: Examined(), list)
        #expect(verdict.lapse == nil && verdict.shortcoming == .lapse(.expired(end)))
        #expect(verdict.objections == [.lacksRecords])
        // Nothing is said for a credential whose signature does not verify.
        var forged = Self.list([(.format, true), (.signature, false)])
        forged.add(
            .validity,
            .fail(VerificationFailure(.expired, "no"), only: .lapse(.expired(end)), besides: [.lacksRecords]))
        #expect(Verdict(of: Examined(), forged).objections.isEmpty)
    }

    @Test func issuerThatIsNotTrustedDoesNotPass() async {
        do {
            let key = Self.key(trust: .untrusted)
            #expect(Self.isUnjudged(Verdict(of: Examined(), Self.list(Self.all, key: key))))
        }
        let key = Self.key(trust: .unchecked)
        #expect(Self.isUnjudged(Verdict(of: Examined(), Self.list(Self.all, key: key))))
    }

    @Test func checksOutOfOrderDoNotPass() async {
        var checks = Self.all
        checks.swapAt(1, 2)
        #expect(Self.isUnjudged(Verdict(of: Examined(), Self.list(checks))))
    }
}
