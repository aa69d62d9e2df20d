import Encodings
import Testing

/// The writer changes only the white space between values.
@Suite struct WriterTests {
    private let faithful =
        #"{"z":6.30,"a":[1e+2,-0,1E-07,12345678901234567890],"\u0061\/b":"\u00e9é\/\n\ud83d\uDE00😀","e":{},"f":[],"":[[],{},null,true,false,""]}"#

    @Test func compactPrintOfMinifiedTextIsTheSameBytes() throws {
        #expect(printed(try parse(faithful)) == faithful)
        for text in ["null", "-0.0", "\"\"", "[]", "{}", "[[[]]]", "{\"\":{\"\":{}}}", #""\u0000\/""#] {
            #expect(printed(try parse(text)) == text)
        }
    }

    @Test func whiteSpaceBetweenTokensIsLeftOut() throws {
        #expect(
            printed(try parse(" { \"a b\" : [ 1 , \" \" ] ,\r\n\t\"c\":{ } , \"d\" : [ ] } "))
                == #"{"a b":[1," "],"c":{},"d":[]}"#)
    }

    @Test(arguments: [JSONWriter.Layout.compact, .indented]) func partsAreTheSameText(_ layout: JSONWriter.Layout) {
        func write(_ writer: inout JSONWriter, _ afterEach: (inout JSONWriter) -> Void) {
            writer.begin(.object)
            afterEach(&writer)
            writer.member("a", 1)
            writer.name("list")
            writer.begin(.array)
            for number in 0..<3 {
                afterEach(&writer)
                writer.object { $0.member("number", number) }
            }
            writer.end(.array)
            afterEach(&writer)
            writer.name("empty")
            writer.begin(.array)
            afterEach(&writer)
            writer.end(.array)
            writer.end(.object)
        }
        var whole = JSONWriter(layout: layout)
        write(&whole) { _ in }
        var inParts = JSONWriter(layout: layout)
        var parts: [UInt8] = []
        write(&inParts) { parts += $0.take() }
        #expect(parts + inParts.take() == whole.bytes)
        var nested = JSONWriter(layout: layout)
        nested.object { writer in
            writer.member("a", 1)
            writer.name("list")
            writer.array { writer in
                for number in 0..<3 {
                    writer.value(
                        JSONFragment(layout: layout, escapesUnprintable: false, depth: 2) { writer in
                            writer.object { $0.member("number", number) }
                        })
                }
            }
            writer.name("empty")
            writer.array { _ in }
        }
        #expect(nested.bytes == whole.bytes)
    }

    @Test func indentsByTwoSpacesALevel() throws {
        let value = try parse(#"{"a":1,"b":[true,{"c":"x"},[]],"d":{},"e":[ ],"f":{"g":[[]]}}"#)
        #expect(
            printed(value, .indented) == """
                {
                  "a": 1,
                  "b": [
                    true,
                    {
                      "c": "x"
                    },
                    []
                  ],
                  "d": {},
                  "e": [],
                  "f": {
                    "g": [
                      []
                    ]
                  }
                }
                """)
    }

    @Test(arguments: ["{}", "[]", "{ }", "[\n]", "0", "\"a\""])
    func indentedPrintOfASmallTextIsOneLine(_ text: String) throws {
        #expect(printed(try parse(text), .indented) == text.filter { !$0.isWhitespace })
    }

    @Test func indentsFromTheGivenDepth() throws {
        var writer = JSONWriter(layout: .indented, depth: 2)
        writer.value(try parse(#"{"a":[1]}"#))
        #expect(String(decoding: writer.bytes, as: UTF8.self) == "{\n      \"a\": [\n        1\n      ]\n    }")
    }

    @Test func printsAtRandomAreFaithful() throws {
        var minified = RandomText(seed: 1, isMinified: true)
        var spaced = RandomText(seed: 2, isMinified: false)
        for _ in 0..<1500 {
            var text = minified.text()
            // Invisible characters that could mislead a reader are always escaped.
            for (character, escape) in [
                ("\u{7F}", #"\u007f"#), ("\u{85}", #"\u0085"#), ("\u{9B}", #"\u009b"#), ("\u{202E}", #"\u202e"#),
                ("\u{2028}", #"\u2028"#), ("\u{2066}", #"\u2066"#),
            ] { text = text.replacing(character, with: escape) }
            #expect(printed(try parse(text)) == text)
        }
        for _ in 0..<1500 {
            let text = spaced.text()
            let value = try parse(text)
            let compact = printed(value)
            let indented = printed(value, .indented)
            #expect(JSONTree(try parse(compact)) == JSONTree(value))
            #expect(JSONTree(try parse(indented)) == JSONTree(value))
            #expect(printed(try parse(indented)) == compact)
            #expect(printed(try parse(indented), .indented) == indented)
        }
    }

    @Test func writesTheDeepestTextThatParses() throws {
        let text = String(repeating: "[", count: 128) + String(repeating: "]", count: 128)
        #expect(printed(try parse(text)) == text)
        #expect(printed(try parse(printed(try parse(text), .indented))) == text)
    }

    @Test(arguments: [JSONWriter.Layout.compact, .indented])
    func writesWhatItIsTold(_ layout: JSONWriter.Layout) throws {
        let parsed = try parse(#"{"x":[1.50]}"#)
        var writer = JSONWriter(layout: layout)
        writer.object {
            $0.member("s", "a\"\\\n\r\t\u{8}é😀")
            $0.member("none", nil as String?)
            $0.member("n", -7)
            $0.member("noNumber", nil as Int?)
            $0.name("yes")
            $0.value(true)
            $0.name("no")
            $0.value(false)
            $0.name("parsed")
            $0.value(parsed)
            $0.name("noValue")
            $0.value(nil as JSONValue?)
            $0.name("list")
            $0.array {
                $0.value("a")
                $0.array { _ in }
                $0.object { _ in }
                $0.object { $0.member("k", 1) }
                $0.value(2)
            }
            $0.name("empty")
            $0.object { _ in }
            $0.name(text: "last \"\u{1}")
            $0.value(0)
        }
        let expected =
            #"{"s":"a\"\\\n\r\t\u0008é😀","none":null,"n":-7,"noNumber":null,"yes":true,"no":false,"parsed":{"x":[1.50]},"noValue":null,"list":["a",[],{},{"k":1},2],"empty":{},"last \"\u0001":0}"#
        #expect(printed(try JSONDocument.parse(writer.bytes)) == expected)
        if layout == .compact { #expect(String(decoding: writer.bytes, as: UTF8.self) == expected) }
    }

    @Test(arguments: [
        "", "a", "\"", "\\", "\\n", "\u{0}", "\u{1F}", "\u{7F}", "a\u{202E}b", "é", "e\u{301}", "😀", "\u{10FFFF}",
        "\r\n", "</script>",
    ])
    func quotingIsUndoneByParsing(_ string: String) throws {
        let quoted = JSONWriter.quoted(string)
        #expect(try parse(quoted).stringBytes == Array(string.utf8))
        #expect(quoted.unicodeScalars.allSatisfy { !$0.isUnprintable })

        var plain = JSONWriter()
        plain.value(string)
        #expect(try JSONDocument.parse(plain.bytes).stringBytes == Array(string.utf8))
    }
}

/// Other programs read the output. Build servers treat some lines as commands.
@Suite struct LogSafetyTests {
    /// `##[`, `##vso[` and `##teamcity[` are commands anywhere in a line.
    @Test(arguments: [
        "##[error]x", "a##[error]x", "###[x", "####", "##vso[x", "##teamcity[x", "#", "a#b", "# #", "#é#", "##é", "é##",
        "\u{2028}::error::x", "\u{2029}", "\u{85}##[x]", "\u{C2}\u{A0}", "#\u{2028}#", "1234567##90123456", "\"##\\##",
    ])
    func untrustedTextContainsNoCommand(_ text: String) throws {
        for layout in [JSONWriter.Layout.compact, .indented] {
            for escapes in [false, true] {
                // Checked in the program's own text and in a parsed text, in a name and in a value.
                let quoted = #""\#(text.replacing("\\", with: #"\\"#).replacing("\"", with: #"\""#))""#
                let stranger = try parse("{\(quoted): [\(quoted), \(quoted)]}")
                var writer = JSONWriter(layout: layout, escapesUnprintable: escapes)
                writer.object { writer in
                    writer.member("a", text)
                    writer.name(text: "b" + text)
                    writer.value(stranger)
                    writer.name("d")
                    writer.asWritten(stranger)
                    writer.name("e")
                    writer.value(text, number: 0)
                }
                let written = String(decoding: writer.bytes, as: UTF8.self)
                #expect(!written.contains("##[") && !written.contains("##vso[") && !written.contains("##teamcity["))
                #expect(!written.unicodeScalars.contains { "\u{85}\u{2028}\u{2029}".unicodeScalars.contains($0) })
                let read = try JSONDocument.parse(writer.bytes)
                #expect(JSONTree(try #require(read["b" + text])) == JSONTree(stranger))
                #expect(JSONTree(try #require(read["d"])) == JSONTree(stranger))
                #expect(read["a"]?.stringBytes == Array(text.utf8))
                #expect(read["e"]?.stringBytes == Array("\(text)#0".utf8))
            }
        }
    }

    /// Eight bytes are tested together, so the position of the signs among them matters.
    @Test(arguments: 0...20) func findsNumberSignsAtEachPosition(_ place: Int) throws {
        for (signs, spelled) in [("#", "#"), ("##", "\\u0023#"), ("#a#", "#a#"), ("###", "\\u0023\\u0023#")] {
            for rest in [0, 1, 7, 8, 20] {
                let (before, after) = (String(repeating: "x", count: place), String(repeating: "y", count: rest))
                var writer = JSONWriter()
                writer.value(before + signs + after)
                #expect(String(decoding: writer.bytes, as: UTF8.self) == "\"\(before)\(spelled)\(after)\"")
            }
        }
    }

    @Test func keepsEarlierEscapes() throws {
        for text in [##""\u0023#[x]""##, ##""#\u0023[x]""##, ##""\u2028""##, ##""a#b""##] {
            #expect(printed(try parse(text)) == text)
        }
    }
}

/// Indentation must not multiply the size of hostile input.
@Suite struct IndentationBoundTests {
    private func indented(_ value: JSONValue) -> [UInt8] {
        var writer = JSONWriter(layout: .indented)
        writer.object { writer in
            writer.member("before", 1)
            writer.name("value")
            writer.value(value)
            writer.member("after", 2)
        }
        return writer.bytes
    }

    @Test func longValueIsWrittenOnOneLine() throws {
        let text = Array(("[" + String(repeating: "0,", count: 200_000) + "0]").utf8)
        let printed = indented(try JSONDocument.parse(text))
        #expect(printed.count < text.count + 100)
        #expect(printed.contains(UInt8(ascii: "\n")))
        let again = try JSONDocument.parse(printed)
        #expect(again["value"]?.elements?.count == 200_001)
        #expect(again["after"]?.number?.integer == 2)
    }

    @Test func deepNestingIsIndentedOnlySoFar() throws {
        let depth = 120
        let text =
            String(repeating: "[", count: depth) + String(repeating: "0,", count: 1000) + "0"
            + String(repeating: "]", count: depth)
        let printed = indented(try JSONDocument.parse(Array(text.utf8)))
        #expect(printed.count < 1000 * 70 + depth * 200)
        _ = try JSONDocument.parse(printed)
    }

    @Test func numbersHaveAllTheirDigits() {
        let numbers = [0, 7, -7, 10, 99, 100, -1000, 1_234_567_890, .max, .min, .min + 1]
        var writer = JSONWriter()
        writer.array { for number in numbers { $0.value(number) } }
        #expect(
            String(decoding: writer.bytes, as: UTF8.self) == "[\(numbers.map { String($0) }.joined(separator: ","))]")
    }

    @Test func namesWithNumbersAreStrings() throws {
        for name in ["cards.txt", "", "a\"b\\c", "é😀", "\u{202E}", "line\nfeed"] {
            for escapes in [false, true] {
                var writer = JSONWriter(escapesUnprintable: escapes)
                writer.value(name, number: 12)
                #expect(try parse(String(decoding: writer.bytes, as: UTF8.self)).string?.description == "\(name)#12")
                #expect(!escapes || !writer.bytes.contains { $0 >= 0x80 } || name == "é😀")
            }
        }
    }

    @Test func keepsWhiteSpaceInCopiedValues() throws {
        let value = try parse("{ \"a\" :\t[ 1 ] }")
        var writer = JSONWriter()
        writer.array { $0.asWritten(value) }
        #expect(String(decoding: writer.bytes, as: UTF8.self) == "[{ \"a\" :\t[ 1 ] }]")
        writer = JSONWriter(escapesUnprintable: true)
        writer.asWritten(value)
        #expect(String(decoding: writer.bytes, as: UTF8.self) == "{\"a\":[1]}")
    }
}

/// Values that are written once and used many times, and a writer that is reused.
@Suite struct FragmentTests {
    @Test func fragmentIsWrittenAsItIs() {
        let fragment = JSONFragment { writer in
            writer.object {
                $0.member("a", 1)
                $0.member("b", "x\"")
            }
        }
        var writer = JSONWriter()
        writer.array {
            $0.value(fragment)
            $0.value(2)
            $0.value(fragment)
        }
        #expect(String(decoding: writer.bytes, as: UTF8.self) == #"[{"a":1,"b":"x\""},2,{"a":1,"b":"x\""}]"#)
    }

    @Test func clearedWriterBeginsAnew() {
        var writer = JSONWriter()
        writer.array { $0.value(1) }
        writer.clear()
        #expect(writer.bytes.isEmpty)
        writer.array { $0.value(2) }
        #expect(String(decoding: writer.bytes, as: UTF8.self) == "[2]")
    }
}
