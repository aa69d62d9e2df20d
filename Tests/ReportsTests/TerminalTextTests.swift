import Encodings
import Foundation
import TestSupport
import Testing

@testable import CredentialReports

/// Text that is safe for a terminal and for the log of a build server.
@Suite struct TerminalTextTests {
    /// When text is wrapped, any word may begin a line.
    @Test(arguments: 20...60) func wrappedLinesAreNoCommands(_ width: Int) {
        let words: Words = "the type \(from: "\"x ::error::y ##[z] ::a ::b ::c ::d ::e\"") is not known"
        let blocks: [Block] = [
            .line(words), .paragraph(words), .fields([("Type", words)]), .list([words]),
            .rows([["Type", words]], columns: [6]),
        ]
        for block in blocks {
            let text = String(decoding: TextRenderer.bytes([block], to: Destination(width: width)), as: UTF8.self)
            #expect(BuildLog.isInert(text))
            #expect(text.split(separator: "\n").allSatisfy { TextWidth.of($0) <= max(width, 29) + 2 }, "\(text)")
        }
    }

    @Test func leavesHarmlessLinesUnchanged() {
        let text = "Name     a::b: c\n  x:: y\n\"::\" # 1#2\n\n:\u{1B}[1m x\n"
        #expect(String(decoding: TerminalText.log(text), as: UTF8.self) == text)
        #expect(String(decoding: TerminalText.log(" ::x\n##[y"), as: UTF8.self) == " '::x\n# #[y")
    }
}

/// Blocks as text, in which a report escapes nothing itself.
@Suite struct TextRendererTests {
    /// What strangers say in each voice, and wherever a report can put it.
    @Test func textFromStrangersControlsNoTerminal() {
        let text = "a\u{1B}[31m\u{202E}b\n::error::\r\u{9B}c"
        let words: Words = "\(text)\(from: text)\(path: text)\(message: text)\(prose: text)\(text, .tone(.bad))"
        let shown = "a\u{FFFD}[31m\u{FFFD}b\u{FFFD}::error::\u{FFFD}\u{FFFD}c"
        let blocks: [(Block, count: Int)] = [
            (.line(words), 6), (.paragraph(words), 6), (.fields([(text, words)]), 7), (.labelled(text, [words]), 7),
            (.list([words]), 6), (.rows([[words, words]], columns: [3]), 12), (.section(words, [.line(words)]), 12),
            (.finding("error", .bad, rule: "x", level: 3, at: words, []), 6),
            (.group("Card", words, title: nil, []), 6), (.issuer(words, level: 3, [words]), 12),
            (.records([RecordColumn(title: "Lot", cells: [text])], groups: [([], 0..<1)]), 1),
        ]
        for (block, count) in blocks {
            let text = String(decoding: TextRenderer.bytes([block]), as: UTF8.self)
            #expect(text.components(separatedBy: shown).count == count + 1, "\(block)")
            #expect(!text.unicodeScalars.contains { $0.isUnprintable && $0 != "\n" }, "\(block)")
            #expect(BuildLog.isInert(text), "\(block)")
        }
    }

    /// A name must not look like two cells or lines.
    @Test func cellsHaveNoTabs() {
        let text = TextRenderer.bytes([.tabbed([["a\tb\nc\u{1B}", "d"]])])
        #expect(String(decoding: text, as: UTF8.self) == "a b c\u{FFFD}\td\n")
    }

    /// A pipe gets lines that scripts can cut at tabs.
    @Test func rowsAreATableOnATerminal() {
        let rows = Block.tabbed([["a b", "", "1"], ["c", "", "22"]], titles: ["Name", "Empty", "Keys"])
        let text = String(decoding: TextRenderer.bytes([rows], to: Destination(width: 80)), as: UTF8.self)
        #expect(text == "  Name  Keys\n  a b   1\n  c     22\n")
        #expect(String(decoding: TextRenderer.bytes([rows]), as: UTF8.self) == "a b\t\t1\nc\t\t22\n")
        #expect(TextRenderer.bytes([.tabbed([], titles: ["Name"])], to: Destination(width: 80)).isEmpty)
    }

    /// Only the renderer colours, and only if it is asked to.
    @Test func signsComeWithColour() {
        let blocks: [Block] = [.line(Words("PASS", .verdict(.good))), .line("\("more", .tone(.faint)) text")]
        let coloured = TextRenderer.bytes(blocks, to: Destination(isColoured: true))
        #expect(String(decoding: TextRenderer.bytes(blocks), as: UTF8.self) == "PASS\nmore text\n")
        #expect(
            String(decoding: coloured, as: UTF8.self)
                == "\u{1B}[1;32m✓ PASS\u{1B}[0m\n\u{1B}[2mmore\u{1B}[0m text\n")
    }

    /// A colour ends with its line, and begins again in the next one.
    @Test func colouredWordsAreWrapped() {
        let text = TextRenderer.bytes(
            [.fields([("Issuer", "a name and \("an address that is long", .tone(.faint))")])],
            to: Destination(width: 32, isColoured: true))
        #expect(
            String(decoding: text, as: UTF8.self)
                == "\u{1B}[1mIssuer\u{1B}[0m   a name and \u{1B}[2man address\u{1B}[0m\n         \u{1B}[2mthat is long\u{1B}[0m\n"
        )
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

    @Test(arguments: 2...12) func cellsAreBrokenAndNotCut(_ columns: Int) {
        for text in ["abcdefghijklmnop", "日本語日本語日本語", "a日b本c語", "COVID-19, mRNA (a maker)", ""] {
            let lines = TextWidth.cell(text, columns: columns)
            #expect(lines.allSatisfy { TextWidth.of($0) <= columns }, "\(lines)")
            #expect(lines.joined().replacing(" ", with: "") == text.replacing(" ", with: ""))
        }
    }
}
