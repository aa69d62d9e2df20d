import JSON
import Testing

/// An error says in plain words what is wrong and where, and shows nothing that could steer a terminal.
@Suite struct ErrorDescriptionTests {
    @Test(arguments: [
        ("", "there is no JSON value"),
        ("\u{FEFF}1", "the JSON begins with a byte-order mark"),
        ("1 2", "something follows the JSON value, at byte 2"),
        ("[1", "the JSON ends too early, at byte 2"),
        ("[x]", "unexpected 'x' at byte 1"),
        ("[\u{1}]", "unexpected byte 0x01 at byte 1"),
        ("[é]", "unexpected byte 0xC3 at byte 1"),
        ("[01]", "not a JSON number at byte 1"),
        ("[NaN]", "not a JSON value at byte 1"),
        (#"["\x"]"#, "not a JSON string escape at byte 2"),
        (#"["\ud800"]"#, "half of a surrogate pair at byte 2"),
        ("[\"\u{1B}\"]", "a control character inside a string at byte 2"),
        ("{\"a\":1,\"a\":2}", "the member \"a\" occurs twice in one object, at byte 7"),
    ])
    func says(_ text: String, _ description: String) {
        #expect(rejection(of: text)?.description == description)
    }

    @Test func saysWhatIsNotUTF8AndWhatIsTooDeep() {
        #expect(rejection(of: [0x22, 0xFF, 0x22])?.description == "bytes that are not UTF-8 at byte 1")
        #expect(
            rejection(of: Array("[[]]".utf8), maximumDepth: 1)?.description == "nested deeper than 1 levels at byte 1")
    }

    @Test(arguments: [
        "\u{202E}\u{7F}\\u001b", String(repeating: "x", count: 10_000),
        "a" + String(repeating: "\u{301}", count: 10_000),
    ])
    func aHostileNameIsShownEscapedAndShort(_ name: String) throws {
        let description = try #require(rejection(of: "{\"\(name)\":1,\"\(name)\":2}")).description
        #expect(description.unicodeScalars.allSatisfy { !$0.isUnprintable })
        #expect(description.utf8.count < 500)
    }
}
