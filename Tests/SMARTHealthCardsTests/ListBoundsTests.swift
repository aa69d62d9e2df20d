import Credentials
import Encodings
import Inputs
import TestSupport
import Testing

@testable import SMARTHealthCards

/// Lists and inputs that are too large, or of an unknown kind, are rejected.
@Suite struct ListBoundsTests {
    private static let manyValues =
        Array("[".utf8) + Array(repeatElement(Array("0,".utf8), count: Bounds.listValues + 1).joined())

    @Test func directoryIsBounded() {
        let large = #expect(throws: Malformed.self) {
            try IssuerDirectory([UInt8](repeating: 0x20, count: Bounds.directorySize + 1))
        }
        #expect(large?.description.contains("larger than 64 MiB") == true)
        let many = #expect(throws: Malformed.self) { try IssuerDirectory(Self.manyValues) }
        #expect(many?.description.contains("more than 2500000 values") == true)
    }

    @Test(arguments: [
        ("{}", "it is none of these: a list or snapshot of issuers of cards"), ("1", "it is none of these: "),
        ("[]", "it is a trust list of the EU gateway, and not a list or snapshot of issuers of cards"),
        (#"{"keys":[]}"#, "it is a key set, and not a list or snapshot of issuers of cards"),
        (#"{"participating_issuers":{}}"#, #"its "participating_issuers" is not an array"#),
        (#"{"issuerInfo":7}"#, #"its "issuerInfo" is not an array"#),
        (#"{"issuerInfo":[],"verificationMethod":[]}"#, "so it is not clear what it is"),
    ])
    func rejectsJSONThatIsNotADirectory(_ text: String, _ words: String) {
        let error = #expect(throws: Malformed.self) { try IssuerDirectory(Array(text.utf8)) }
        #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
    }

    @Test func rejectsListAndSnapshotInOneFile() {
        let text = #"{"participating_issuers":[],"issuerInfo":[]}"#
        let error = #expect(throws: Malformed.self) { try IssuerDirectory(Array(text.utf8)) }
        #expect(error?.description.contains("at once") == true)
    }

    @Test(arguments: ["", "{", #"{"participating_issuers":[],"participating_issuers":[]}"#])
    func rejectsDirectoryThatIsNotAcceptableJSON(_ text: String) {
        let error = #expect(throws: Malformed.self) { try IssuerDirectory(Array(text.utf8)) }
        #expect(error?.description.contains("not acceptable JSON") == true)
    }

    @Test func revocationListIsBounded() {
        let large = #expect(throws: Malformed.self) {
            try RevocationList([UInt8](repeating: 0x20, count: Bounds.revocationListSize + 1))
        }
        #expect(large?.description.contains("larger than 64 MiB") == true)
        let many = #expect(throws: Malformed.self) { try RevocationList(Self.manyValues) }
        #expect(many?.description.contains("more than 2500000 values") == true)
    }

    @Test func rejectsInputThatIsFileAndParametersAtOnce() {
        let text = #"{"resourceType":"Parameters","verifiableCredential":[]}"#
        let error = #expect(throws: VerificationFailure.self) { try InputContent(Recognition(Array(text.utf8)[...])) }
        #expect(error?.code == .malformedInput)
    }

    @Test func comparesChecksByAllTheirParts() {
        #expect(Check(.format, .pass, .text("x")) == Check(.format, .pass, .text("x")))
        #expect(Check(.format, .pass, .text("x")) != Check(.format, .pass, .text("y")))
        #expect(Check(.format, .pass, .text("x")) != Check(.format, .fail, .text("x")))
        #expect(Check(.format, .pass, .text("x")) != Check(.key, .pass, .text("x")))
    }

    @Test func hugeInputGivesOneFailedCard() {
        var reader = CredentialReader()
        reader.add([UInt8](repeating: 0x41, count: Bounds.inputSize + 4), source: "in")
        #expect(reader.cards().map { $0.failure?.code } == [.malformedInput])
    }

    @Test func placesOfChecksAreConsecutive() {
        #expect(Check.Name.allCases.map(\.place) == Array(1...Check.Name.allCases.count))
        #expect(Check.Name.container.place == 0)
        #expect(Check.Result.all.map(\.place) == Array(0..<Check.Result.all.count))
    }
}
