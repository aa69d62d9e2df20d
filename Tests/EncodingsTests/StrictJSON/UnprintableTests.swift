import Encodings
import Testing

/// Characters that could control a terminal, or hide or reorder text, are written as escapes. Escapes are safe to show
/// and do not change the value.
@Suite struct UnprintableTests {
    @Test(
        arguments: [
            "\u{0}", "\u{1B}", "\u{1F}", "\u{7F}", "\u{80}", "\u{85}", "\u{9B}", "\u{9F}", "\u{AD}", "\u{61C}",
            "\u{200B}", "\u{200E}", "\u{200F}", "\u{2028}",
            "\u{2029}", "\u{202A}", "\u{202D}", "\u{202E}", "\u{2060}", "\u{2066}", "\u{2069}", "\u{FEFF}", "\u{FFF9}",
            "\u{FFFE}", "\u{FFFF}", "\u{E000}",
            "\u{E0001}", "\u{E0041}", "\u{10FFFF}", "\u{115F}", "\u{1160}", "\u{2800}", "\u{3164}", "\u{FFA0}",
        ] as [Unicode.Scalar])
    func unprintable(_ scalar: Unicode.Scalar) {
        #expect(scalar.isUnprintable)
    }

    @Test(
        arguments: [
            " ", "~", "a", "\u{A0}", "é", "ß", "\u{301}", "漢", "ا", "\u{200C}", "\u{200D}", "\u{FE0F}", "\u{FFFD}", "😀",
        ] as [Unicode.Scalar])
    func printable(_ scalar: Unicode.Scalar) {
        #expect(!scalar.isUnprintable)
    }

    @Test(arguments: [
        ("\u{7F}", #"\u007f"#), ("\u{9B}31m", #"\u009b31m"#), ("\u{202E}", #"\u202e"#), ("\u{2028}", #"\u2028"#),
        ("\u{E0041}", #"\udb40\udc41"#),
        ("\u{10FFFF}", #"\udbff\udfff"#), (#"\u202e"#, #"\u202e"#), (#"\\"# + "\u{202E}", #"\\\u202e"#), ("é😀漢", "é😀漢"),
        (#"\u001b\/"#, #"\u001b\/"#),
    ])
    func escapesInParsedStringsAndNames(_ written: String, _ shown: String) throws {
        let value = try parse("{\"\(written)\":[\"\(written)\"]}")
        #expect(printed(value, escapesUnprintable: true) == "{\"\(shown)\":[\"\(shown)\"]}")
        // Characters that only hide themselves are not escaped here.
        let plain = ["\u{E0041}", "\u{10FFFF}"].contains(written) ? written : shown
        #expect(printed(value) == "{\"\(plain)\":[\"\(plain)\"]}")
    }

    /// A text that nobody sees is escaped as a whole. Beside letters, the same characters stay.
    @Test func invisibleTextIsEscaped() {
        for text in ["\u{200D}", "\u{200C}\u{FE0F}", "\u{34F}", "\u{A0} \u{3000}", "\u{115F}", "\u{E0100}"] {
            #expect(text.isInvisible)
            var writer = JSONWriter(escapesUnprintable: true)
            writer.value(text)
            #expect(writer.bytes.allSatisfy { $0 < 0x80 })
        }
        for text in ["", " ", "\t", "a\u{200D}", "\u{A0}b", "क\u{94D}\u{200D}", "❤\u{FE0F}", "\u{301}"] {
            #expect(!text.isInvisible)
            var writer = JSONWriter(escapesUnprintable: true)
            writer.value(text)
            #expect(String(decoding: writer.bytes, as: UTF8.self) == (text == "\t" ? #""\t""# : "\"\(text)\""))
        }
    }

    @Test func escapesInWrittenStringsAndNames() {
        var writer = JSONWriter(escapesUnprintable: true)
        writer.object {
            $0.name(text: "\u{2066}n")
            $0.value("\u{7F}\u{85}\u{1B}[2J\u{E0041}")
        }
        #expect(String(decoding: writer.bytes, as: UTF8.self) == #"{"\u2066n":"\u007f\u0085\u001b[2J\udb40\udc41"}"#)
    }

    @Test(arguments: [JSONWriter.Layout.compact, .indented])
    func theValueStaysTheSame(_ layout: JSONWriter.Layout) throws {
        var texts = RandomText(seed: 3, isMinified: false)
        for _ in 0..<1000 {
            let value = try parse(texts.text())
            let shown = printed(value, layout, escapesUnprintable: true)
            #expect(JSONTree(try parse(shown)) == JSONTree(value))
            #expect(shown.unicodeScalars.allSatisfy { !$0.isUnprintable || $0 == "\n" })
        }
    }
}
