import Credentials
import Cryptography
import Encodings
import Foundation
import Inputs
import TestSupport
import Testing

/// Texts as scanners, mail programs and editors hand them on.
@Suite struct ScannedTextTests {
    private static let code = "shc:/" + String(repeating: "56762909", count: 40)
    private static let jws = "eyJh" + String(repeating: "A", count: 100) + ".Yg." + String(repeating: "B", count: 86)

    private func cards(_ bytes: [UInt8]) -> [PresentedCredential] {
        var reader = CredentialReader()
        reader.add(bytes, source: "in")
        return reader.cards()
    }

    /// The credentials in a text are the same as in another, and there is a warning with each of these codes.
    private func expect(_ bytes: [UInt8], _ plain: String, _ warnings: [CredentialWarning.Code]) {
        let (found, wanted) = (cards(bytes), cards(Array(plain.utf8)))
        #expect(found.map { try? $0.text.get() } == wanted.map { try? $0.text.get() })
        #expect(found.map(\.form) == wanted.map(\.form))
        #expect(found.first?.warnings.map(\.code) == warnings)
    }

    private static func wrapped(_ text: String, at width: Int, by lineBreak: String = "\n") -> String {
        let bytes = Array(text.utf8)
        return stride(from: 0, to: bytes.count, by: width).map { start in
            String(decoding: bytes[start..<min(start + width, bytes.count)], as: UTF8.self)
        }.joined(separator: lineBreak)
    }

    @Test(arguments: [code, jws, "HC1:6BFOXN", "shlink:/eyJ1cmwiOiJodHRwczovL2EuZXhhbXBsZSJ9"])
    func charactersOfScannersAreLeftOut(_ text: String) {
        for (before, after) in [
            ("]Q1", ""), ("]d2", ""), ("\u{2}", "\u{3}"), ("", "\0\0"), ("\u{2}]Q1", "\u{3}\r\n"), ("", "\r\n\0"),
        ] { expect(Array((before + text + after).utf8), text, [.scannerCharacters]) }
    }

    /// A scanner marks each text that it reads, not only the first.
    @Test func eachLineMayHaveCharactersOfAScanner() {
        let other = "shc:/" + String(repeating: "56762910", count: 40)
        for (before, after) in [("]Q1", "\n"), ("\u{2}", "\u{3}\n"), ("", "\0\r\n"), ("\u{2}]Q1", "\u{3}\r")] {
            for texts in [[Self.code, other], ["HC1:6BFOXN", "HC1:6BFOXO"], [Self.jws, Self.code]] {
                let found = cards(Array(texts.map { before + $0 + after }.joined().utf8))
                let plain = cards(Array(texts.joined(separator: "\n").utf8))
                #expect(
                    found.map { try? $0.text.get() } == plain.map { try? $0.text.get() },
                    "\(before)\(texts[0].prefix(5))")
                #expect(found.map { $0.failure?.code } == plain.map { $0.failure?.code })
            }
        }
    }

    /// The digits of a JWS in a QR code.
    private static func digits(_ text: String) -> String {
        text.utf8.map { $0 - 45 }.map { ($0 < 10 ? "0" : "") + "\($0)" }.joined()
    }

    /// Digits without shc:/ below a card are those of another card, and not the rest of it. They are named, however the card is wrapped.
    @Test func digitsBelowACardAreAnotherCard() {
        let digits = Self.digits(Self.jws)
        for width in [2000, 76, 35] {
            let text = Self.wrapped("shc:/" + digits, at: width) + "\n" + digits + "\n"
            let found = cards(Array(text.utf8))
            #expect(found.last?.failure?.message.contains("without their beginning, shc:/") == true, "\(width)")
            if width == 2000 { #expect(found.count == 2 && (try? found.first?.text.get()) == Array(Self.jws.utf8)) }
        }
        // A line that begins like a card may be the rest of one that is not complete.
        let half = String(digits.prefix(100)) + "567629"
        expect(
            Array("shc:/\(digits.prefix(100))\n567629\(digits.dropFirst(106))".utf8),
            "shc:/\(half)\(digits.dropFirst(106))",
            [.textWrapped])
    }

    /// However the digits of a second card are broken, and wherever they stand, they are not skipped.
    @Test func digitsBesideACardAreNotSkipped() {
        let digits = Self.digits(Self.jws)
        for width in [5, 6, 10, 18, 19, 20, 35, 76] {
            let broken = Self.wrapped(digits, at: width)
            for text in [
                "shc:/\(digits)\n\(broken)\n", "\(broken)\nshc:/\(digits)\n",
                "Hello\n\n\(broken)\n\nshc:/\(digits)\n\nbye",
            ] {
                let found = cards(Array(text.utf8))
                #expect(found.contains { (try? $0.text.get()) != Array(Self.jws.utf8) }, "\(width)")
            }
        }
        let spaced = cards(Array("shc:/\(digits)\n567629 \(digits.dropFirst(6))".utf8))
        #expect(spaced.contains { $0.failure != nil })
    }

    /// Another kind of credential is named wherever it stands.
    @Test func otherCredentialIsNamedBesideOtherText() {
        let pass = "NZCP:/1/2KCEVIQEIVVWK6JNGEASNICZAEP2KALYDZSGSZB2"
        for text in [
            pass, "]Q3\(pass)", "Kia ora,\n\n\(pass)\n\nbye\n", "your code is \(pass) and bye", "(\(pass))",
            "From: a\n\n\(Self.code)\n\n\(pass)\n",
        ] {
            let found = cards(Array(text.utf8))
            #expect(found.map { $0.failure?.code } == [.unsupportedCredential], "\(text)")
            #expect(found.first?.failure?.message.contains("New Zealand's My Vaccine Pass (NZCP)") == true)
        }
        for text in ["\(Self.code)\n\(pass)", "HC1:6BFOXN\n\(pass)"] {
            let found = cards(Array(text.utf8))
            #expect(found.count == 2 && found.last?.failure?.code == .unsupportedCredential, "\(text)")
        }
        #expect(cards(Array("a mail without a code, of the NZCP: none".utf8)).first?.failure?.code == .malformedInput)
    }

    /// Any layout has another character in the place of the colon. If the digits behind it are there, nothing is lost.
    @Test func everyKeyboardLayoutIsNamed() {
        let digits = Self.digits(Self.jws)
        for begin in ["shcñ-", "shcÑ-", "shcç-", "SHCø-", "shcM!", "shc.-", "shc:é", "shc:\u{E9}", "shc\u{D6}-"] {
            expect(Array((begin + digits).utf8), "shc:/\(digits)", [.textRepaired])
        }
        let parts = "shc:/1/2/\(digits.prefix(100))\nshc:/2/2/\(digits.dropFirst(100))"
        let typed = parts.replacing(":", with: "Ö").replacing("/", with: "-")
        #expect(cards(Array(typed.utf8)).map { try? $0.text.get() } == [Array(Self.jws.utf8)])
        for text in ["HC1Ñ6BFOXN", "HC1ØNCFOXN", "HC1M6BFOXN", "shcñ-56762909", "hc&m6BF", "shcM!(-è-ç"] {
            #expect(
                cards(Array(text.utf8)).first?.failure?.message.contains("another keyboard layout") == true, "\(text)")
        }
        for text in ["shc:/\(digits)", "shc\(digits)", "HC1:6BFOXN", "shc and 567629", "HC16BFOXN"] {
            #expect(cards(Array(text.utf8)).first?.failure?.message.contains("keyboard") != true, "\(text)")
        }
    }

    @Test func namesOfFilesAreNamed() {
        for text in ["/home/u/card 1.png\n", "a.jws\r\nb.smart-health-card", "./cards\n\n~/x"] {
            let found = cards(Array(text.utf8))
            #expect(found.first?.failure?.message.contains("names of files") == true, "\(text)")
        }
        #expect(cards(Array("a.jws\n\(Self.jws)".utf8)).allSatisfy { $0.failure?.message.contains("names") != true })
    }

    /// A text that was cut off anywhere but in its first characters is asked about, once.
    @Test func cutTextIsAskedAbout() throws {
        for whole in [Self.jws, "shc:/" + Self.digits(Self.jws)] {
            for length in 40..<whole.utf8.count {
                guard let card = cards(Array(whole.utf8.prefix(length))).first else { continue }
                let message: String
                switch card.text {
                case .failure(let failure): message = failure.message
                case .success(let text):
                    do throws(JWSError) {
                        _ = try CompactJWS(text)
                        continue
                    } catch { message = error.message }
                }
                #expect(message.components(separatedBy: "cut off").count == 2, "\(length): \(message)")
            }
        }
    }

    @Test func manyLinesThatCouldBeginATextEndSoon() {
        let text =
            "hi there\n" + (0..<900).map { "eyJ" + String(repeating: "a", count: 1500 + $0 % 2 * 5) + ".b\n" }.joined()
        let time = processorTime { #expect(!cards(Array(text.utf8)).isEmpty) }
        #expect(time < .seconds(60), "\(time)")
    }

    @Test(arguments: [code, jws, "HC1:6BFOXN"]) func utf16IsRead(_ text: String) {
        let units = Array((text + "\r\n").utf16)
        let little: [UInt8] =
            [0xFF, 0xFE]
            + units.flatMap { unit -> [UInt8] in
                [UInt8(truncatingIfNeeded: unit), UInt8(truncatingIfNeeded: unit >> 8)]
            }
        let big: [UInt8] =
            [0xFE, 0xFF]
            + units.flatMap { unit -> [UInt8] in
                [UInt8(truncatingIfNeeded: unit >> 8), UInt8(truncatingIfNeeded: unit)]
            }
        expect(little, text, [.textEncoding])
        expect(big, text, [.textEncoding])
    }

    @Test(arguments: [1, 4, 10, 21, 64, 72, 76, 78, 100], ["\n", "\r\n", "\r"])
    func wrappedTextIsJoined(_ width: Int, _ lineBreak: String) {
        for text in [Self.code, Self.jws] {
            expect(Array(Self.wrapped(text, at: width, by: lineBreak).utf8), text, [.textWrapped])
        }
    }

    @Test func textInAMailIsFound() {
        for text in [Self.code, Self.jws, "HC1:6BFOXN"] {
            let mail = "From: clinic@example.org\nSubject: card\n\nDear Jana,\n\n\(text)\n\nRegards\n"
            expect(Array(mail.utf8), text, [.otherTextSkipped])
        }
        for text in [Self.code, Self.jws] {
            let mail = "Dear Jana,\n\n\(Self.wrapped(text, at: 76))\n\nRegards\n"
            expect(Array(mail.utf8), text, [.textWrapped, .otherTextSkipped])
        }
        expect(Array("Hello\n\(Self.jws)\nJana".utf8), Self.jws, [.otherTextSkipped])
    }

    /// What may be a credential is never skipped.
    @Test(arguments: [
        "\(jws)\n\(jws)\n", "hello\n\(code)\n\"\(jws)\"", "hello\n\(code)\nNO1:6BF",
        "hello\n\(code)\n{\"verifiableCredential\":[]}", "hello\n\(jws)\nNZCP:/1/AA",
        "hello\n\(code)\n> \(jws)", "hello\n\(jws)\nSecond: \(code)", "hello\n\(jws)\n<a href=\"\(code)\">x</a>",
        "hello\n\(jws)\n<a href=\(code)>x</a>", "hello\n\(jws)\nmy digits: 56762909567629095676290956762909",
        "hello\n\(code)\n\"verifiableCredential\": [\"\(jws)\"]", "hello\n\(jws)\n(HC1:6BFOXN)",
        "hello\n\(jws)\n* hc1:6BFOXN",
        "hello\n\(jws)\nsee https://a.example/#%7B%22verifiableCredential%22:%5B%22\(jws)%22%5D%7D .",
        "hello\n\(jws)\nor shlink:/eyJ1cmwiOiJodHRwczovL2EuZXhhbXBsZSJ9",
    ]) func otherCredentialsAreNotSkipped(_ text: String) {
        #expect(cards(Array(text.utf8)).contains { $0.failure != nil })
    }

    @Test(arguments: [
        ("567629095243206034602924374044603122295953265460", "without their beginning, shc:/"),
        ("shcÖ-567629", "keyboard"), ("shcM!(-è", "keyboard"), ("SHLINKÖ-ezJ", "keyboard"), ("hc&M6BF", "keyboard"),
        ("HC1Ö6BF", "keyboard"), ("TEL:+49123", "a telephone number"), ("GEO:1,2", "a place on a map"),
        ("WIFI:S:x;;", "a Wi-Fi network"), ("MAILTO:a@b.example", "an e-mail address"),
    ]) func whatIsWrongIsSaid(_ text: String, _ words: String) {
        let failure = cards(Array(text.utf8)).first?.failure
        #expect(failure?.code == .malformedInput)
        #expect(failure?.message.contains(words) == true, "\(failure?.message ?? "")")
    }

    /// A hostile input must not take time that grows faster than its size.
    @Test(arguments: ["eyJhAAAAAAAAAAAAAAAAAA\n", "shc:/1\nx\n", "HC1:A\nA\n", "\n", "]Q1", "A\nshc:/5676\n\n"])
    func manyLinesEndSoon(_ line: String) {
        let text = String(repeating: line, count: (1 << 20) / line.utf8.count)
        #expect(!cards(Array(text.utf8)).isEmpty)
    }
}
