import Credentials
import FHIR
import TestSupport
import Testing

@Suite struct ExplanationTests {
    private typealias Name = ExplanationPage.Fields.Name

    private static let codes = ReasonCode.allCases.map(\.rawValue) + CredentialWarning.Code.allCases.map(\.rawValue)

    private static func sections(_ part: ExplanationPage.Part) -> [ExplanationPage.Section] {
        ExplanationPage.embedded.sections.filter { $0.part == part }
    }

    @Test(arguments: codes)
    func everyCodeHasAnExplanation(_ code: String) throws {
        let explanation = try #require(Explanation.of(code))
        #expect(explanation.code == code)
        #expect(!explanation.causes.isEmpty)
        for text in [explanation.meaning, explanation.remedy] + explanation.causes {
            #expect(text.isFitToPrint)
            #expect(text.hasSuffix("."))
            #expect(!text.contains("--") && !text.contains("shcverify"), "the library names no option of a program")
        }
    }

    @Test func explanationsDiffer() {
        #expect(Explanation.all.map(\.code) == Self.codes)
        #expect(Set(Self.codes).count == Self.codes.count)
        #expect(Set(Explanation.all.map(\.meaning)).count == Self.codes.count)
    }

    @Test(arguments: ["", "Revoked", "no-such-code", "revoked "])
    func unknownCodeHasNoExplanation(_ code: String) {
        #expect(Explanation.of(code) == nil)
    }

    /// The page has the codes of the program in the same order, and nothing else.
    @Test func everySectionOfThePageIsOfACode() {
        #expect(Self.sections(.reasons).map(\.heading) == ReasonCode.allCases.map(\.rawValue))
        #expect(Self.sections(.warnings).map(\.heading) == CredentialWarning.Code.allCases.map(\.rawValue))
        let exitCodes = Set(ReasonCode.exitCodes).union([0, 1, 64, 130, 143])
        #expect(Self.sections(.exitCodes).map(\.heading) == exitCodes.sorted().map { "\($0)" })
    }

    @Test func everySectionHasItsFields() {
        let ofCertificates: Set<Name> = [.certificateMeaning, .certificateCauses, .certificateRemedy]
        for section in ExplanationPage.embedded.sections {
            let fields = section.fields
            let isKnown =
                switch section.part {
                case .reasons:
                    [[], ofCertificates].contains(
                        fields.names.subtracting([.exitCode, .meaning, .causes, .remedy, .desk, .options]))
                        && fields.names.isSuperset(of: [.exitCode, .meaning, .causes, .remedy, .desk])
                case .warnings: fields.names.subtracting([.options]) == [.meaning, .causes, .remedy]
                case .words: fields.names.subtracting([.also, .remedy, .desk]) == [.meaning]
                case .exitCodes:
                    [[.meaning], [.reasons], [.reasons, .note]].contains(fields.names.subtracting([.desk]))
                }
            #expect(isKnown, "\(section.heading)")
            for name in fields.names.subtracting([.also, .exitCode, .reasons]) {
                #expect(fields.list(name).allSatisfy { $0.isFitToPrint && ($0.hasSuffix(".") || $0.hasSuffix("?")) })
            }
        }
    }

    @Test func pageHasTheExitCodesOfTheProgram() {
        for section in Self.sections(.reasons) {
            #expect(section.fields[.exitCode] == ReasonCode(rawValue: section.heading).map { "\($0.exitCode)" })
        }
        for section in Self.sections(.exitCodes) {
            let reasons = ReasonCode.allCases.filter { "\($0.exitCode)" == section.heading }
            let codes = reasons.map(\.rawValue).joined(separator: ", ")
            #expect(section.fields[.reasons] == (codes.isEmpty ? nil : codes))
            // One advice for one exit code: that of its reasons, or its own if they differ.
            let hasOne = Set(reasons.compactMap(\.explanation.desk)).count == 1
            #expect((section.fields[.desk] == nil) == hasOne, "\(section.heading)")
        }
    }

    /// Every word that a report prints for people or in JSON has a section, or is another form of a word that has one.
    @Test func everyWordOfAReportIsExplained() {
        let sections = Self.sections(.words)
        let synonyms = sections.flatMap { section in
            section.fields[.also].map { $0.split(separator: ", ").map(String.init) } ?? []
        }
        let words = sections.map(\.heading) + synonyms
        #expect(Set(words).count == words.count)
        #expect(Set(words).isDisjoint(with: Self.codes.filter { $0 != "expired" }))
        var printed = Check.Status.allCases.map(\.rawValue)
        printed += Check.SkipReason.allCases.flatMap { [$0.rawValue, $0.words.replacing(" ", with: "-")] }
        printed += Check.Name.allCases.map(\.rawValue) + ["link", "check-in"] + IssuerTrust.allCases.map(\.rawValue)
        printed += KeyOrigin.allCases.map(\.rawValue) + InputForm.allCases.map(\.rawValue)
        printed += DisplaySource.allCases.map(\.rawValue) + ["immunization", "laboratory", "recovery", "covid19"]
        printed += ["smart-health-card", "eu-digital-covid-certificate", "pass", "fail", "undetermined"]
        printed += ["issuer-not-checked", "revocation-not-checked", "as-of", "claimed", "verified-at", "made-at"]
        printed += ["not-verified", "not-trusted", "not-checked", "expired", "revoked"]
        #expect(Set(printed).subtracting(words) == ["revoked"], "the reason is explained")
    }

    /// Reports say `this is a JWS`, and the page says the same of the word.
    @Test func formsOfInputsHaveTheSameWords() {
        for form in InputForm.allCases where ![.directory, .jwks, .link, .checkIn].contains(form) {
            let section = Self.sections(.words).first { $0.heading == form.rawValue }
            #expect(section?.fields[.meaning] == "A kind of input: \(form.words).")
        }
    }

    @Test func sectionIsReadAsItStands() throws {
        let page = ExplanationPage(
            """
            # Explanations
            ## Reasons
            Meaning: for readers of the page.
            ### one-code
            Meaning: The first: in
            two lines.

            Causes:

            - The first, in
              two lines.
            - The second.

            ## Other words
            ### a-word
            """)
        #expect(page.sections.map(\.part) == [.reasons, .words])
        #expect(page.sections.map(\.heading) == ["one-code", "a-word"])
        #expect(page.sections[0].fields[.meaning] == "The first: in two lines.")
        #expect(page.sections[0].fields.list(.causes) == ["The first, in two lines.", "The second."])
        #expect(page.sections[0].fields[.remedy] == nil && page.sections[1].fields.names.isEmpty)
    }

    @Test(
        arguments: [
            "No field.", "Unknown: Text.", "Meaning:", "Meaning:Text.", "Meaning: One.\n\nMeaning: Two.",
            "Causes:\n- No empty line.",
            "Causes:\n\nMeaning: No list.", "Causes:\n\n- One.\nNot indented.", "Causes:\n\n- One.\n\n- Two.", "- One.",
        ])
    func malformedSectionIsNotRead(_ text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(ExplanationPage.Fields(lines) == nil)
    }

    @Test func codesConsistOfLowerCaseLettersAndHyphens() {
        for code in Self.codes {
            #expect(code.utf8.allSatisfy { (0x61...0x7A).contains($0) || $0 == UInt8(ascii: "-") })
        }
    }

    /// The table of CLI.md.
    @Test(
        arguments: [
            (
                10,
                "malformed-input malformed-qr malformed-jws unsupported-algorithm unsupported-compression"
            ),
            (10, "inflate-failed payload-too-large malformed-payload invalid-issuer-url"), (11, "signature-invalid"),
            (12, "key-not-found key-invalid certificate-invalid"), (13, "issuer-not-trusted"), (14, "not-yet-valid"),
            (15, "expired"), (16, "revoked"), (17, "records-not-matching"), (20, "keys-unavailable"),
            (21, "revocation-unavailable"), (26, "codes-unknown"),
            (27, "empty-input no-code-found picture-unreadable qr-chunk-missing"), (66, "unreadable-input"),
        ] as [(Int32, String)])
    func everyReasonHasItsExitCode(_ exitCode: Int32, _ codes: String) throws {
        for code in codes.split(separator: " ") {
            let reason = try #require(ReasonCode(rawValue: String(code)))
            #expect(reason.exitCode == exitCode)
            #expect(reason.isUndetermined == (exitCode >= 20))
        }
    }
}
