import Encodings
import Testing

/// A parsed value has a kind, a position in the text, children in order, and members by name.
@Suite struct ValueTests {
    private let text = #" {"z":[1,{"b":null}],"a":"x\u0041","m":true,"b":-0.50,"":{},"f":false} "#

    @Test func kinds() throws {
        let value = try parse(text)
        #expect(value.kind == .object)
        #expect(value.members?.map(\.value.kind) == [.array, .string, .boolean, .number, .object, .boolean])
        #expect(value["z"]?.elements?.map(\.kind) == [.number, .object])
        #expect(value["z"]?.elements?.map(\.isNull) == [false, false])
        #expect(try parse("null").kind == .null)
        #expect(try parse("null").isNull)
        #expect(value["m"]?.boolean == true)
        #expect(value["f"]?.boolean == false)
    }

    @Test(arguments: ["null", "true", "1", "\"a\"", "[0]", "{\"a\":1}"])
    func answersOnlyForItsKind(_ text: String) throws {
        let value = try parse(text)
        #expect((value.string != nil) == (value.kind == .string))
        #expect((value.stringBytes != nil) == (value.kind == .string))
        #expect((value.number != nil) == (value.kind == .number))
        #expect((value.boolean != nil) == (value.kind == .boolean))
        #expect(value.isNull == (value.kind == .null))
        #expect((value.elements != nil) == (value.kind == .array))
        #expect((value.members != nil) == (value.kind == .object))
        #expect((value["a"] != nil) == (value.kind == .object))
    }

    @Test func keepsTheOrderOfMembers() throws {
        #expect(try parse(text).members?.map(\.name) == ["z", "a", "m", "b", "", "f"])
        let names = (0..<1000).map { "\(($0 &* 7919) % 1000)" }
        let large = try parse("{" + names.map { "\"\($0)\":\($0)" }.joined(separator: ",") + "}")
        #expect(large.members?.map(\.name.description) == names)
        #expect(large.members?.count == 1000)
        #expect(names.allSatisfy { large[$0]?.number?.digits == $0 })
    }

    /// Escapes or not, a name is only itself: neither its beginning nor what follows it.
    @Test(arguments: ["ab", #"\u0061b"#, #"a\u0062"#, #"\u0061\u0062"#])
    func findsAMemberByItsWholeNameOnly(_ written: String) throws {
        let value = try parse("{\"\(written)\":\"\(written)\"}")
        #expect(value["ab"]?.isString("ab") == true)
        for other in ["", "a", "abc", "ab\u{0}", "ba", "AB"] {
            #expect(value[other] == nil, "\(other)")
            #expect(value["ab"]?.isString(other) == false, "\(other)")
        }
    }

    /// Some issuers write null for a member that is not there.
    @Test func takesNullForAnOptionalMemberThatIsMissing() throws {
        let value = try parse(#"{"a":null,"b":0}"#)
        #expect(value["a"]?.isNull == true && value.optional("a") == nil && value.optional("c") == nil)
        #expect(value.optional("b")?.number?.integer == 0)
    }

    /// Swift takes these two for the same `String`. They are two names, as two readers could find.
    @Test func comparesTextsByTheirBytes() throws {
        let (composed, decomposed): (UTF8Text, UTF8Text) = ("\u{E9}", "e\u{301}")
        #expect(composed.description == decomposed.description)
        #expect(composed != decomposed)
        // These two have the same length as well.
        #expect("\u{212B}" as UTF8Text != "A\u{30A}")
        #expect(Set([composed, decomposed]).count == 2)
        #expect(try parse(#"{"\u00e9":1}"#)["e\u{301}"] == nil)
        #expect(try parse("[\"\u{E9}\"]").elements?.map { $0.isString("e\u{301}") } == [false])
    }

    @Test func countsChildrenNotDescendants() throws {
        let value = try parse("[[1,2,3],{\"a\":[4,5],\"b\":{}},[],6]")
        #expect(value.elements?.count == 4)
        #expect(value.elements?.map { $0.elements?.count ?? $0.members?.count ?? -1 } == [3, 2, 0, -1])
        #expect(value.elements?.reduce(0) { count, _ in count + 1 } == 4)
    }

    @Test func knowsItsPlaceInTheText() throws {
        let value = try parse(text)
        #expect(value.text == Array(text.utf8))
        #expect(value.byteRange == 1..<text.utf8.count - 1)
        #expect(value["a"]?.byteRange == 25..<34)
        let expected = [
            "z": #"[1,{"b":null}]"#, "a": #""x\u0041""#, "m": "true", "b": "-0.50", "": "{}", "f": "false",
        ]
        for (name, value) in try #require(value.members) {
            #expect(String(decoding: value.rawBytes, as: UTF8.self) == expected[name.description])
            #expect(value.text[value.byteRange] == value.rawBytes)
        }
    }

    @Test func findsMembersByName() throws {
        let value = try parse(text)
        #expect(value["b"]?.number?.digits == "-0.50")
        #expect(value["z"]?.elements?.compactMap { $0["b"] }.map(\.isNull) == [true])
        #expect(value[""]?.kind == .object)
        #expect(value["Z"] == nil)
        #expect(value["zz"] == nil)
        #expect(value["x\\u0041"] == nil)
        #expect(try parse("{}")[""] == nil)
    }

    @Test(arguments: [
        (#"{"\u0061":1}"#, "a"), (#"{"a\/b":1}"#, "a/b"), (#"{"\u00e9":1}"#, "é"), (#"{"\ud83d\ude00":1}"#, "😀"),
        (#"{"\u0000":1}"#, "\u{0}"),
        (#"{"\\u0061":1}"#, "\\u0061"), (#"{"a\u0000":1}"#, "a\u{0}"),
    ])
    func findsMembersWhoseNameIsEscaped(_ text: String, _ name: String) throws {
        #expect(try parse(text)[name]?.number?.digits == "1")
    }

    @Test func comparesNamesByteByByte() throws {
        let value = try parse("{\"é\":1,\"e\u{301}\":2,\"\u{212B}\":3,\"\\u00c5\":4,\"A\\u030a\":5}")
        #expect(value["\u{E9}"]?.number?.digits == "1")
        #expect(value["e\u{301}"]?.number?.digits == "2")
        #expect(value["\u{212B}"]?.number?.digits == "3")
        #expect(value["\u{C5}"]?.number?.digits == "4")
        #expect(value["A\u{30A}"]?.number?.digits == "5")
        #expect(try parse("{\"e\u{301}\":1}")["\u{E9}"] == nil)
        #expect(try parse(#"{"e\u0301":1}"#)["\u{E9}"] == nil)
        #expect(try parse(#"{"a\u0000":1}"#)["a"] == nil)
        #expect(try parse(#"{"a":1}"#)["a\u{0}"] == nil)
    }

    /// A value keeps its text alive.
    @Test func outlivesTheWholeDocument() throws {
        func inner() throws -> JSONValue? { try parse("{\"a\":[\"\(String(repeating: "x", count: 100))\"]}")["a"] }
        #expect(try inner()?.elements?.map(\.string?.utf8.count) == [100])
    }
}
