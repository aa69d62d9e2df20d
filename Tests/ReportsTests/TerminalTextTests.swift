import TestSupport
import Testing

@testable import CredentialReports

/// Text that is safe for a terminal and for the log of a build server.
@Suite struct TerminalTextTests {
    /// When text is wrapped, any word may begin a line.
    @Test(arguments: 5...40) func wrappedLinesAreNoCommands(_ width: Int) {
        let words = TextWidth.wrapped("the type \"x ::error::y ##[z] ::a\" is not known", columns: width)
        #expect(BuildLog.isInert(String(decoding: TerminalText.log(words.joined(separator: "\n")), as: UTF8.self)))
    }

    @Test func leavesHarmlessLinesUnchanged() {
        let text = "Name     a::b: c\n  x:: y\n\"::\" # 1#2\n\n:\u{1B}[1m x\n"
        #expect(String(decoding: TerminalText.log(text), as: UTF8.self) == text)
        #expect(String(decoding: TerminalText.log(" ::x\n##[y"), as: UTF8.self) == " '::x\n# #[y")
    }
}

/// Text in columns.
@Suite struct ColumnTests {
    @Test(arguments: [
        ("abc", 3), ("äöü", 3), ("日本", 4), ("e\u{301}", 1), ("한국", 4), ("👍", 2), ("محمد", 4), ("ｆｕｌｌ", 8), ("", 0),
    ])
    func measuresTheWidthOnATerminal(_ text: String, width: Int) {
        #expect(TextWidth.of(text) == width)
    }

    @Test(arguments: 1...12) func textIsCutToFit(_ columns: Int) {
        for text in ["abcdefghijklmnop", "日本語日本語日本語", "a日b本c語"] {
            #expect(TextWidth.of(TextWidth.fitting(text, columns: columns)) <= columns)
        }
    }
}
