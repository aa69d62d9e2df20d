import Conformance
import Credentials
import Encodings
import FHIR
import SMARTHealthCards
import TestSupport
import Testing

@testable import CredentialReports

/// Text from strangers in HTML, which never becomes markup.
@Suite struct HTMLTests {
    private static func written(_ write: (inout HTMLWriter) -> Void) -> String {
        String(decoding: HTMLWriter.bytes(write), as: UTF8.self)
    }

    /// A page with some content.
    private static func page(_ headline: String, foot: String, _ content: String = "") throws -> String {
        var pieces = WaitingPieces()
        pieces.add(Array(content.utf8))
        var page: [UInt8] = []
        try HTMLPage(headline: headline, style: .good, lead: [], foot: foot).write([], then: pieces) { page += $0 }
        return String(decoding: page, as: UTF8.self)
    }

    @Test(arguments: [
        ("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"), ("</style>", "&lt;/style&gt;"),
        ("\" onload='x'", "&quot; onload=&#39;x&#39;"), ("&lt;", "&amp;lt;"), ("<!-- -->", "&lt;!-- --&gt;"),
        ("a\u{202E}b\u{2066}\u{200F}", "a\u{FFFD}b\u{FFFD}\u{FFFD}"),
        ("a\u{0}b\u{7}\r\nc", "a\u{FFFD}b\u{FFFD}\u{FFFD}\u{FFFD}c"),
        ("\u{2028}\u{FFFE}\u{E000}", "\u{FFFD}\u{FFFD}\u{FFFD}"), ("##[error]", "#&#35;[error]"),
        ("<\u{301}b>", "&lt;\u{301}b&gt;"), ("Zoë 王小明", "Zoë 王小明"),
    ])
    func textIsEscaped(_ text: String, _ expected: String) {
        #expect(Self.written { $0.text(text) } == expected)
        #expect(Self.written { $0.words("\(text)") } == expected)
    }

    @Test func bytesThatAreNoTextAreReplaced() {
        let text = UTF8Text(decoding: [0xFF, UInt8(ascii: "<"), 0xC0, 0x80, 0xED, 0xA0, 0x80])
        let written = Self.written { $0.words("\(text, upTo: 10)") }
        #expect(written.hasPrefix("<bdi>\u{FFFD}&lt;\u{FFFD}"))
        #expect(!written.utf8.contains(0))
    }

    @Test func attributesAreEscaped() {
        let written = Self.written { $0.element(.td, ["data-column": "a\"<b>'&"], words: "x") }
        #expect(written == "\n<td data-column=\"a&quot;&lt;b&gt;&#39;&amp;\">x</td>")
    }

    /// Names cannot reorder the words around them.
    @Test(arguments: [
        ("issuer \"אבג\" 123", "issuer &quot;<bdi>אבג</bdi>&quot; 123"), ("\"abc\": 1", "&quot;abc&quot;: 1"),
        ("\"א\\\"ב\" \"ג\"", "&quot;<bdi>א\\&quot;ב</bdi>&quot; &quot;<bdi>ג</bdi>&quot;"),
        ("\"א", "&quot;<bdi>א</bdi>"), ("\"א\\", "&quot;<bdi>א\\</bdi>"), ("\"", "&quot;"), ("", ""),
        ("a\nb \"c\nא\"", "a\u{FFFD}b &quot;<bdi>c\u{FFFD}א</bdi>&quot;"),
    ])
    func quotedTextIsIsolated(_ text: String, _ expected: String) {
        #expect(Self.written { $0.words("\(message: text)") } == expected)
    }

    /// Code in the words of this program, but nothing in the words of strangers.
    @Test(arguments: [
        ("`kid` of `x`", "<code>kid</code> of <code>x</code>"), ("a ` b", "a ` b"), ("`a", "`a"),
        ("`a` \"`b`\" `c`", "<code>a</code> &quot;`b`&quot; <code>c</code>"),
        ("`<b>`", "<code>&lt;b&gt;</code>"),
    ])
    func backticksAreCode(_ text: String, _ expected: String) {
        #expect(Self.written { $0.words("\(message: text)") } == expected)
    }

    @Test(arguments: [
        ("/home/maria/Downloads/card.png#0", "card.png#0"), ("card.png#0", "card.png#0"), ("-#0", "-#0"), ("a/", ""),
        ("x/a\u{202E}b", "a\u{FFFD}b"),
    ])
    func filesHaveNoFolders(_ path: String, _ name: String) {
        #expect(Self.written { $0.words("\(path: path)") } == (name.isEmpty ? "" : "<bdi>\(name)</bdi>"))
    }

    @Test func warningIsNotUnknown() {
        for (style, isWarning, sign) in [(Palette.Style.unsure, true, "!"), (.unsure, false, "?"), (.bad, true, "✗")] {
            #expect(Self.written { $0.sign(style, isWarning: isWarning) }.contains(">\(sign)<"))
        }
    }

    @Test func jsonIsTextLineByLine() throws {
        let value = try JSONDocument.parse(Array(#"{"<b>":["</pre>","א\u202e",6.30]}"#.utf8))
        #expect(
            Self.written { $0.json(value) } == """
                {
                  &quot;&lt;b&gt;&quot;: [
                    &quot;&lt;/pre&gt;&quot;,
                    &quot;<bdi>א\\u202e</bdi>&quot;,
                    6.30
                  ]
                }
                """)
    }

    @Test func everyPageForbidsScriptsAndRequests() throws {
        let policy = HTMLStyle.policy
        #expect(policy.hasPrefix("default-src 'none'; style-src 'sha256-"))
        #expect(policy.hasSuffix("='; base-uri 'none'; form-action 'none'"))
        #expect(!policy.contains("unsafe"))
        let sheet = String(decoding: HTMLStyle.sheet, as: UTF8.self)
        #expect(!sheet.contains("url(") && !sheet.contains("@import") && !sheet.contains("<"))
        let page = try Self.page("<b>", foot: "</html>")
        #expect(PageMarkup.faults(in: page).isEmpty)
        #expect(page.contains("<title>&lt;b&gt;</title>") && page.contains("<p>&lt;/html&gt;</p>"))
    }

    @Test(arguments: [
        "<p>a", "<p>a</b>", "<b>a</b>", "<p>a < b</p>", "<p>a & b</p>", "<p>\"</p>", "<p>'</p>", "<p style=\"x\">a</p>",
        "<p onclick=\"x\">a</p>", "<p class=x>a</p>", "<p>></p>", "<style></style>", "<p>&nbsp;</p>",
    ])
    func faultsAreFound(_ markup: String) throws {
        let page = try Self.page("PASS", foot: "test", markup)
        #expect(!PageMarkup.faults(in: page).isEmpty)
    }

    @Test func pageOfRecordsSaysIfAnIssuerWasNotChecked() throws {
        let bundle = try JSONDocument.parse(
            Array(#"{"entry":[{"resource":{"resourceType":"Immunization","lotNumber":"<b>"}}]}"#.utf8))
        let contents = CardContents(FHIRBundle(bundle), fhirVersion: nil)
        for (trust, isChecked) in [(IssuerTrust.unchecked, false), (.allowList, true)] {
            let card = CardRecords(
                contents.records, source: "<i>", issuer: Issuer(unchecked: "https://issuer.example/<u>"), trust: trust,
                subjects: contents.subjects)
            let report = RecordsFormat.html.report(
                now: NumericDate(sinceEpoch: .zero), to: Destination(), by: Tool(name: "test", version: "1"))
            let page = String(decoding: report.text(of: [card]), as: UTF8.self)
            #expect(PageMarkup.faults(in: page).isEmpty)
            #expect(page.contains("<bdi>&lt;b&gt;</bdi>") && page.contains("<bdi>&lt;i&gt;</bdi>"))
            #expect(page.contains("<header class=\"good\">") == isChecked)
            #expect(page.contains("It was not checked whether the issuers are trusted.") != isChecked)
        }
    }

    @Test func noCardsAreNoGoodNews() {
        let report = VerdictFormat.html.report(
            now: NumericDate(sinceEpoch: .zero), names: .builtIn, to: Destination(),
            by: Tool(name: "test", version: "1"))
        let page = String(decoding: report.text(of: []), as: UTF8.self)
        #expect(page.contains("<header class=\"bad\">"))
        #expect(PageMarkup.faults(in: page).isEmpty)
    }
}
