import Encodings
import Testing

/// No object has two members with the same name (RFC 7493 §2.3).
@Suite struct DuplicateMemberTests {
    @Test(arguments: [
        ("{\"a\":1,\"a\":1}", "a", 7),
        ("{\"a\":1,\"b\":2,\"a\":3}", "a", 13),
        ("{ \"\" : 1 , \"\" : 2 }", "", 11),
        ("[0,{\"é\":1,\"é\":2}]", "é", 11),
        ("{\"a\":{\"b\":1},\"a\":2}", "a", 13),
        ("{\"x\":{\"a\":1,\"a\":2}}", "a", 12),
        ("{\"x\":[{\"a\":1},{\"a\":1,\"a\":2}]}", "a", 21),
    ])
    func rejectsTheSecondMemberOfAName(_ text: String, _ name: String, _ offset: Int) {
        #expect(rejection(of: text)?.reason == .duplicateMember(name))
        #expect(rejection(of: text)?.offset == offset)
    }

    @Test(arguments: [
        (#"{"a":1,"\u0061":2}"#, "a"), (#"{"\u0061":1,"a":2}"#, "a"), (#"{"\u0061":1,"\u0061":2}"#, "a"),
        (#"{"/":1,"\/":2}"#, "/"), (#"{"\u002F":1,"\u002f":2}"#, "/"), (#"{"\n":1,"\u000a":2}"#, "\n"),
        (#"{"\"":1,"\u0022":2}"#, "\""), (#"{"é":1,"\u00e9":2}"#, "é"), (#"{"😀":1,"\ud83d\uDE00":2}"#, "😀"),
        (#"{"\u0000":1,"\u0000":2}"#, "\u{0}"), (#"{"ab":1,"a\u0062":2}"#, "ab"), (#"{"x":1,"\\":1,"\u005c":2}"#, "\\"),
    ])
    func rejectsNamesThatAreEqualOnceUnescaped(_ text: String, _ name: String) {
        #expect(rejection(of: text)?.reason == .duplicateMember(name))
    }

    /// Names are looked up differently in small and in large objects.
    @Test(arguments: [2, 3, 15, 16, 17, 18, 31, 32, 33, 64, 65, 100, 1000])
    func findsADuplicateInObjectsOfAnySize(_ count: Int) {
        let names = (0..<count - 1).map { "n\($0)" }
        for again in Set([0, count / 2, count - 2]) where again < names.count {
            let members = (names + [names[again]]).map { "\"\($0)\":0" }
            let error = rejection(of: "{" + members.joined(separator: ",") + "}")
            #expect(error?.reason == .duplicateMember(names[again]))
            #expect(error?.offset == members.dropLast().joined(separator: ",").utf8.count + 2)
            #expect(
                rejection(of: "[{" + members.joined(separator: ",") + "}]")?.reason == .duplicateMember(names[again]))

            let escaped = names.map { "\"\($0)\":0" } + ["\"\\u006e\(again)\":0"]
            #expect(rejection(of: "{" + escaped.joined(separator: ",") + "}")?.reason == .duplicateMember(names[again]))
            #expect(
                rejection(of: "{" + escaped.reversed().joined(separator: ",") + "}")?.reason
                    == .duplicateMember(names[again]))
        }
        let distinct = (0..<count).map { "\"n\($0)\":{\"n\($0)\":0}" }
        #expect(rejection(of: "{" + distinct.joined(separator: ",") + "}") == nil)
    }

    /// Long names are looked up differently from short ones.
    @Test(arguments: [1, 63, 64, 65, 66, 1000])
    func findsADuplicateAmongNamesOfAnyLength(_ length: Int) {
        let name = String(repeating: "x", count: length)
        #expect(rejection(of: "{\"a\":0,\"\(name)\":1,\"b\":2,\"\(name)\":3}")?.reason == .duplicateMember(name))
        #expect(rejection(of: "{\"\(name)\":1,\"\(name.dropLast())\\u0078\":3}")?.reason == .duplicateMember(name))
        #expect(rejection(of: "{\"a\":0,\"\(name)\":1,\"\(name)x\":2,\"\(name.dropLast())y\":3}") == nil)
    }

    @Test(arguments: [
        "{\"é\":1,\"e\u{301}\":2}", "{\"Å\":1,\"A\u{30A}\":2,\"\u{212B}\":3}", "{\"가\":1,\"\u{1100}\u{1161}\":2}",
        #"{"é":1,"e\u0301":2}"#,
        "{\"a\":1,\"A\":2}", "{\"a\":1,\"a \":2}", "{\"a\":1,\"\":2}", #"{"a":1,"a\u0000":2}"#, #"{"\\u0061":1,"a":2}"#,
        "{\"ﬁ\":1,\"fi\":2}", "{\"\u{200B}a\":1,\"a\":2}",
    ])
    func namesThatDifferInAnyByteAreTwo(_ text: String) throws {
        let members = try #require(try parse(text).members)
        #expect(members.map(\.value.number?.digits) == (1...members.count).map { "\($0)" })
    }

    @Test(arguments: [
        "{\"a\":{\"a\":1}}", "[{\"a\":1},{\"a\":1}]", "{\"a\":\"a\",\"b\":\"a\"}", "{\"a\":[\"a\",\"a\"]}",
    ])
    func namesAreComparedWithinOneObject(_ text: String) {
        #expect(rejection(of: text) == nil)
    }
}
