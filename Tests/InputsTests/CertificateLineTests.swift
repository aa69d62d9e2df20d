import Credentials
import Inputs
import TestSupport
import Testing

/// Texts of EU Digital COVID Certificates in an input: alone, several, wrapped, and among other texts.
@Suite struct CertificateLineTests {
    /// What is found in an input: the kind of each text, with its first characters.
    private func found(_ text: String) -> [String] {
        CredentialReader.cards(in: text).map { card in
            let kind = card.kind == .healthCertificate ? "certificate" : "card"
            return card.words.map { "\(kind) \($0)" } ?? "failure \(card.failure?.code.rawValue ?? "")"
        }
    }

    private func warnings(_ text: String) -> [[String]] {
        CredentialReader.cards(in: text).map { $0.warnings.map(\.code.rawValue) }
    }

    @Test func whiteSpaceAroundGoesAndInsideStays() {
        for text in [
            "HC1:A  B", " HC1:A  B", "\t\r\nHC1:A  B \r\n\n", "HC1:A  B\n", "\u{FEFF}HC1:A  B", "\u{FEFF} HC1:A  B\n",
        ] {
            #expect(found(text) == ["certificate HC1:A  B"])
            #expect(CredentialReader.cards(in: text).map(\.form) == [.hc1])
        }
        #expect(warnings(" HC1:A") == [[]])
        #expect(warnings("\u{FEFF}HC1:A") == [["byte-order-mark"]])
        #expect(warnings("hc1:A") == [["prefix-case"]] && warnings("Hc1:A\n") == [["prefix-case"]])
    }

    @Test func eachLineIsACertificate() {
        #expect(found("HC1:A\nHC1:B\r\nHC1:C") == ["certificate HC1:A", "certificate HC1:B", "certificate HC1:C"])
        #expect(found("HC1:A  \n\n  \n  HC1:B") == ["certificate HC1:A", "certificate HC1:B"])
        let cards = CredentialReader.cards(in: "HC1:A\nHC1:B")
        #expect(cards.map(\.source) == ["in#0", "in#1"])
    }

    /// A space at the end or the beginning of a wrapped line is a character of the text.
    @Test(arguments: [
        ("HC1:AB\nCD\nEF", "HC1:ABCDEF"), ("HC1:AB \nCD", "HC1:AB CD"), ("HC1:AB\n CD", "HC1:AB CD"),
        ("HC1:AB\r\nCD \r\nEF\r\n", "HC1:ABCD EF"), ("HC1:\nAB", "HC1:AB"), ("hc1:AB\nCD", "hc1:ABCD"),
        ("HC1:A\n$%*+-./:", "HC1:A$%*+-./:"), ("HC1:A\n\nB", "HC1:AB"), (" HC1:A\nB ", "HC1:AB"),
        // These resemble prefixes only at first sight.
        ("HC1:A\nABC:D", "HC1:AABC:D"), ("HC1:A\n1C1:D", "HC1:A1C1:D"), ("HC1:A\nHC12", "HC1:AHC12"),
    ])
    func wrappedLinesAreJoined(_ text: String, _ whole: String) {
        #expect(found(text) == ["certificate \(whole)"])
        #expect(warnings(text)[0].contains("text-wrapped"))
    }

    @Test(arguments: [
        ("HC1:A\nHC2:B", ["certificate HC1:A", "failure malformed-input"]),
        ("HC1:A\nNO1:B", ["certificate HC1:A", "failure malformed-input"]),
        ("HC1:A\nlower", ["certificate HC1:A"]), ("HC1:A\nÄ", ["certificate HC1:A"]),
        ("hello\nHC1:A", ["certificate HC1:A"]), ("hello\nHC1:A\n\nworld", ["certificate HC1:A"]),
        ("hello\nHC1:A\nHC1:B", ["failure malformed-input", "certificate HC1:A", "certificate HC1:B"]),
        ("eyJh.Yg.Yw\nHC1:A", ["card eyJh.Yg.Yw", "certificate HC1:A"]),
        ("HC1:A\neyJh.Yg.Yw", ["certificate HC1:A", "card eyJh.Yg.Yw"]),
        ("HC1:A\neyAiYSI.Yg.Yw", ["certificate HC1:A", "card eyAiYSI.Yg.Yw"]),
        ("SHC:/5676\nHC1:A", ["card shc:/5676", "certificate HC1:A"]),
        ("ABC\nHC1:A", ["certificate HC1:A"]),
        ("HC1:A\nNZCP:/1/x", ["certificate HC1:A", "failure unsupported-credential"]),
    ])
    func differentTextsStandBesideEachOther(_ text: String, _ expected: [String]) {
        let texts = found(text)
        #expect(texts.count == expected.count)
        for (one, other) in zip(texts, expected) {
            // The text of a QR code becomes a JWS.
            if other.hasPrefix("card shc:") { #expect(one.hasPrefix("card ")) } else { #expect(one == other) }
        }
        #expect(CredentialReader.cards(in: text).allSatisfy { !$0.warnings.map(\.code).contains(.textWrapped) })
    }

    /// A continuation belongs to the certificate right before it.
    @Test func aLineAfterAnotherTextContinuesNothing() {
        #expect(
            found("HC1:A\nhello\nBCD\nHC1:B") == [
                "certificate HC1:A", "failure malformed-input", "failure malformed-input", "certificate HC1:B",
            ])
        #expect(found("HC1:A\nB\nHC1:C\nD") == ["certificate HC1:AB", "certificate HC1:CD"])
    }

    @Test func linksStandBesideCertificates() {
        var reader = CredentialReader()
        reader.add(Array("HC1:A\nshlink:/eyJh\nHC1:B".utf8), source: "in")
        #expect(reader.containers(.link).count == 1)
        #expect(reader.cards().map(\.kind) == [.healthCertificate, nil, .healthCertificate])
    }

    @Test(arguments: [
        ("HC2:6BF", "a later version"), ("NO1:6BF", "Norway"), ("DK3:6BF", "Denmark"), ("AT1:6BF", "Austria"),
        ("LT1:6BF", "Switzerland"), ("XX1:6BF", "begins with XX1:"),
    ])
    func namesOtherCertificates(_ text: String, _ words: String) throws {
        for text in [text, "HC1:A\n" + text] {
            let failure = try #require(CredentialReader.cards(in: text).last?.failure)
            #expect(failure.code == .malformedInput)
            #expect(failure.message.contains(words), "\(failure.message)")
        }
    }

    @Test func theNumberOfCertificatesIsLimited() {
        let cards = CredentialReader.cards(in: String(repeating: "HC1:A\n", count: Bounds.cards + 10))
        #expect(cards.count == Bounds.cards + 1)
        #expect(cards.last?.failure?.code == .malformedInput)
        #expect(cards.dropLast().allSatisfy { $0.failure == nil })
    }

    /// One failure stands for all cards that were not read. A further part of a card is not another card.
    @Test func theNumberOfCodesIsLimited() {
        let whole = String(repeating: "shc:/5676\n", count: Bounds.cards - 1)
        let full = CredentialReader.cards(in: "\(whole)shc:/1/2/56\nshc:/2/2/76\n")
        #expect(full.count == Bounds.cards && full.allSatisfy { $0.failure == nil })
        for rest in ["", "shc:/5676\n"] {
            let cards = CredentialReader.cards(in: "\(whole)shc:/1/2/56\nshc:/5676\nshc:/2/2/76\n\(rest)")
            #expect(cards.count == Bounds.cards + 1)
            #expect(cards.last?.failure == CredentialReader.restIsLeftOut)
        }
    }

    @Test func theNumberOfLinesIsLimited() {
        let cards = CredentialReader.cards(in: "HC1:A\n" + String(repeating: "B\n", count: Bounds.lines + 10))
        #expect(cards.map { $0.words?.count } == [5 + Bounds.lines - 1, nil])
        #expect(cards.last?.failure?.code == .malformedInput)
    }

    @Test func joinsAsManyLinesAsAreRead() {
        let line = "A-B:" + String(repeating: "C", count: 26)
        let count = Bounds.lines - 1
        let cards = CredentialReader.cards(in: "HC1:\n" + String(repeating: line + "\n", count: count))
        #expect(cards.map { $0.words?.utf8.count } == [4 + line.utf8.count * count])
    }
}
