import Encodings
import Testing

/// Arrays and objects nest as deeply as the limit allows, and no deeper.
@Suite struct NestingTests {
    private func nested(_ depth: Int, open: String, close: String, inside: String = "") -> [UInt8] {
        Array((String(repeating: open, count: depth) + inside + String(repeating: close, count: depth)).utf8)
    }

    @Test func theBoundIs128() {
        #expect(JSONDocument.defaultMaximumDepth == 128)
    }

    @Test(arguments: [("[", "]", ""), ("{\"a\":", "}", "0"), ("[{\"a\":", "}]", "null")])
    func acceptsNestingAtTheBoundAndRejectsOneMore(_ open: String, _ close: String, _ inside: String) {
        let step = open.hasPrefix("[{") ? 2 : 1
        #expect(rejection(of: nested(128 / step, open: open, close: close, inside: inside)) == nil)

        let tooDeep = rejection(of: nested(128 / step + 1, open: open, close: close, inside: inside))
        #expect(tooDeep?.reason == .tooDeep(limit: 128))
        #expect(tooDeep?.offset == 128 / step * open.utf8.count)
    }

    @Test(arguments: [0, 1, 2, 17, 1000])
    func theCallerChoosesTheLimit(_ bound: Int) {
        #expect(
            rejection(of: nested(bound, open: "[", close: "]", inside: bound == 0 ? "0" : ""), maximumDepth: bound)
                == nil)

        let tooDeep = rejection(of: nested(bound + 1, open: "[", close: "]"), maximumDepth: bound)
        #expect(tooDeep?.reason == .tooDeep(limit: bound))
        #expect(tooDeep?.offset == bound)
    }

    @Test func theBoundCountsLevelsNotContainers() throws {
        let row = String(decoding: nested(127, open: "[", close: "]"), as: UTF8.self)
        let value = try parse("[" + Array(repeating: row, count: 50).joined(separator: ",") + "]")
        #expect(value.elements?.count == 50)
    }

    /// The parser stops at the limit, long before the end of the text.
    @Test(arguments: ["[", "{\"a\":", "[{\"a\":"])
    func rejectsAMillionOpenings(_ opening: String) {
        let text = Array(String(repeating: opening, count: 1_000_000).utf8)
        #expect(rejection(of: text)?.reason == .tooDeep(limit: 128))
    }

    /// Texts with a value for nearly every byte, complete and cut off at any place.
    @Test(arguments: ["[", "{\"\":", ""]) func densestTextsAreReadToTheirEnd(_ open: String) throws {
        let depth = open.isEmpty ? 0 : 126
        let close = String(repeating: open == "[" ? "]" : "}", count: depth)
        for count in [1, 2, 3, 30, 300, 3000] {
            let inside = "[" + Array(repeating: "1", count: count).joined(separator: ",") + "]"
            let text = String(repeating: open, count: depth) + inside + close
            #expect(rejection(of: text) == nil)
            for end in stride(from: 1, to: text.utf8.count, by: max(1, text.utf8.count / 50)) {
                let part = Array(text.utf8.prefix(end))
                let error = rejection(of: part)
                #expect(error?.reason == .unexpectedEnd)
                #expect(error?.offset == end)
            }
        }
    }
}
