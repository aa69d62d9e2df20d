import Testing

@testable import Credentials

/// A credential that is not judged keeps where it came from, so that a report can say it.
@Suite struct PresentedCredentialTests {
    private static let place = CodePlace(source: "photo.png", page: 2, width: 10, height: 20, corners: [])
    private static let warning = CredentialWarning(.linkForm, "a warning")
    private static let link = OpenedLink(
        index: 3, source: "link.txt", form: "bare", origin: "https://a.example", label: nil, flags: nil, version: 1,
        expires: nil, recipient: "test")
    private static let failure = VerificationFailure(.unreadableInput, "no room")

    private static var fromLink: PresentedCredential {
        var credential = PresentedCredential(
            text: [1], kind: .healthCertificate, form: .hc1, source: "file#0", warnings: [warning]
        ).from(PlaceInContainer(link, item: 4), source: "link.txt#0", warnings: [warning], places: [place])
        credential.input = 5
        return credential
    }

    private static func isAsBefore(_ credential: PresentedCredential) -> Bool {
        credential.kind == .healthCertificate && credential.form == .link && credential.source == "link.txt#0"
            && credential.warnings.map(\.code) == [.linkForm, .linkForm] && credential.places == [place]
            && credential.place?.container.index == 3 && credential.place?.item == 4 && credential.input == 5
    }

    @Test func aFailureReplacesOnlyTheText() {
        #expect(Self.isAsBefore(Self.fromLink))
        let failing = Self.fromLink.failing(with: Self.failure)
        #expect(Self.isAsBefore(failing))
        #expect(failing.text == .failure(Self.failure))
        let again = failing.from(PlaceInContainer(Self.link, item: 4), source: "x#1")
        #expect(again.text == .failure(Self.failure) && again.source == "x#1" && again.places.isEmpty)
    }

    @Test func whatIsNotJudgedKeepsItsOrigin() {
        #expect(Self.isAsBefore(Self.fromLink.notJudged))
        guard case .failure(let failure) = Self.fromLink.notJudged.text else {
            Issue.record("it has a text")
            return
        }
        #expect(failure.code == .unreadableInput)
        // Why it cannot be read says more than that others before it were large.
        let unreadable = Self.fromLink.failing(with: Self.failure)
        #expect(unreadable.notJudged.text == .failure(Self.failure))
    }
}
