import Encodings
import Testing

/// Texts that are designed to be slow are read in one pass. Otherwise these tests would run for hours.
@Suite struct LargeTextTests {
    @Test func objectOfManyMembers() throws {
        let names = (0..<100_000).map { "\"\(String($0, radix: 36))\":0" }.joined(separator: ",")
        let value = try parse("{\(names)}")
        #expect(value.members?.count == 100_000)
        #expect(value[String(99_999, radix: 36)] != nil)
        #expect(rejection(of: "{\(names),\"0\":0}")?.reason == .duplicateMember("0"))
        #expect(rejection(of: "{\(names),\"0\":0}")?.offset == names.utf8.count + 2)
    }

    @Test func manySmallObjects() throws {
        let value = try parse(
            "[" + Array(repeating: #"{"a":0,"\u0062":[]}"#, count: 50_000).joined(separator: ",") + "]")
        #expect(value.elements?.count == 50_000)
        #expect(value.elements?.allSatisfy { $0["b"]?.kind == .array } == true)
    }

    @Test func manyNamesWithOneLongBeginning() throws {
        let long = String(repeating: #"\u0078"#, count: 5000)
        let members = (0..<100).map { "\"\(long)\($0)\":\($0)" }
        let value = try parse("{" + members.joined(separator: ",") + "}")
        #expect(value[String(repeating: "x", count: 5000) + "99"]?.number?.digits == "99")
    }

    @Test func manyEmptyArrays() throws {
        let text = "[" + Array(repeating: "[]", count: 200_000).joined(separator: ",") + "]"
        let value = try parse(text)
        #expect(value.elements?.count == 200_000)
        #expect(printed(value) == text)
    }

    @Test func longStringWithoutEnd() {
        let text = "\"" + String(repeating: #"a\n"#, count: 300_000)
        #expect(rejection(of: text)?.reason == .unexpectedEnd)
        #expect(rejection(of: text)?.offset == 900_001)
    }
}
