import Encodings
import Testing

/// Known names are found by their bytes, and nothing else is.
@Suite struct NameTableTests {
    private let names = [
        "", "a", "entry", "resourceType", "valueCodeableConcept", "é", "e\u{301}", "12345678", "123456789",
    ]

    @Test func findsEachNameAlone() throws {
        let table = NameTable(names)
        for (index, name) in names.enumerated() {
            #expect(table.index(of: UTF8Text(name)) == index)
            let written = JSONWriter.quoted(name)
            #expect(table.index(of: try parse(written)) == index)
            #expect(table.index(of: try parse(#""_"# + written.dropFirst()), droppingFirst: 1) == index)
            for other in [name + "x", "x" + name, name + "\u{0}", String(name.dropLast()) + "\u{7F}"] {
                #expect(table.index(of: UTF8Text(other)) == nil)
            }
        }
    }

    /// A name may be written with escapes.
    @Test func resolvesEscapes() throws {
        let table = NameTable(names)
        #expect(table.index(of: try parse(#""\u0065ntr\u0079""#)) == 2)
        #expect(table.index(of: try parse(#""\u005fentry""#), droppingFirst: 1) == 2)
        #expect(table.index(of: try parse(#""entr\n""#)) == nil)
        #expect(table.index(of: try parse("1")) == nil)
    }

    @Test func takesTheFirstOfEqualNames() {
        #expect(NameTable(["a", "b", "a"]).index(of: UTF8Text("a")) == 0)
        #expect(NameTable([String]()).index(of: UTF8Text("")) == nil)
    }

    @Test func findsManyNames() {
        let many = (0..<5000).map { "name\($0)" }
        let table = NameTable(many)
        #expect(many.indices.allSatisfy { table.index(of: UTF8Text(many[$0])) == $0 })
        #expect(table.index(of: UTF8Text("name5000")) == nil)
    }

    // MARK: Names in an object

    @Test func membersHaveTheirNamesInTheText() throws {
        let text = #"{"a":1,"\u0062":[2],"":{"c":3}}"#
        let members = try #require(parse(text).members)
        #expect(members.named.map { $0.name.string } == members.map(\.name))
        #expect(members.named.map { $0.value.byteRange } == members.map(\.value.byteRange))
        #expect(try parse("{}").members?.named.map { $0.name.string } == [])
    }

    @Test(
        arguments: [
            (#"{"_a":1,"a":2}"#, "1"), (#"{"a":2,"\u005fa":3}"#, "3"), (#"{"_\u0061":4}"#, "4"), (#"{"a":2}"#, nil),
            ("{}", nil),
            (#"{"":1,"_":2,"__a":3}"#, nil), ("[1]", nil),
        ] as [(String, String?)])
    func findsTheMemberAfterAnUnderscore(_ text: String, _ found: String?) throws {
        let value = try parse(text)
        #expect(value[underscored: "a"]?.number?.digits == found)
        #expect(value[underscored: "a"]?.number?.digits == value["_a"]?.number?.digits)
    }

    @Test func looksAtStrings() throws {
        #expect(try parse(#""_a""#).begins(with: UInt8(ascii: "_")))
        #expect(try parse(#""\u005fa""#).begins(with: UInt8(ascii: "_")))
        for text in [#""""#, #""a_""#, "1", "{}", #""\\_""#] {
            #expect(try !parse(text).begins(with: UInt8(ascii: "_")))
        }
        #expect(try parse(#""a b""#).isPlainString(from: 0x20))
        #expect(try !parse(#""a b""#).isPlainString(from: 0x21))
        #expect(try parse(#""""#).isPlainString(from: 0xFF))
        #expect(try !parse(#""\u0041""#).isPlainString(from: 0))
        #expect(try !parse("12").isPlainString(from: 0))
    }
}
