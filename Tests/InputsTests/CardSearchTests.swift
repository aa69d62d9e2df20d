import Credentials
import Encodings
import Foundation
import Inputs
import TestSupport
import Testing

/// Cards that stand inside something else, or whose text was changed on its way.
@Suite struct CardSearchTests {
    private static let jws = "eyJh" + String(repeating: "A", count: 100) + ".Yg." + String(repeating: "B", count: 86)
    private static let other = "eyJh" + String(repeating: "C", count: 100) + ".Yg." + String(repeating: "D", count: 86)
    private static let code = "shc:/" + digits(jws)

    private static func digits(_ text: String) -> String {
        text.utf8.map { $0 - 45 }.map { ($0 < 10 ? "0" : "") + "\($0)" }.joined()
    }

    private static func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }

    private static func json(_ text: String) -> String {
        "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }

    private func cards(_ text: String) -> [PresentedCredential] { CredentialReader.cards(in: text) }

    private func expect(_ text: String, _ wanted: [String], _ code: CredentialWarning.Code) {
        let found = cards(text)
        #expect(found.map(\.words) == wanted, "\(text.prefix(80)): \(found.compactMap { $0.failure?.message })")
        for card in found {
            #expect(card.warnings.contains { $0.code == code }, "\(text.prefix(80))")
            #expect(card.warnings.allSatisfy { $0.message.isFitToPrint })
        }
    }

    private static let attachment =
        #"{"contentType":"application/smart-health-card","data":""#
        + base64(#"{"verifiableCredential":["\#(jws)"]}"#) + #""}"#

    /// Each is a text of which a string of JSON, or the whole input, may consist.
    @Test(arguments: [
        #"["\#(jws)"]"#, #"{"a":{"b":[1,null,{"c":"\#(code)"}]}}"#, #"{"m":"shc:\/\#(digits(jws))"}"#,
        #"{"resourceType":"Parameters","parameter":[{"name":"credential","valueString":"\#(jws)"}]}"#,
        #"{"resourceType":"Parameters","parameter":[{"name":"file","valueAttachment":\#(attachment)}]}"#,
        #"{"resourceType":"Bundle","entry":[{"resource":{"content":[{"attachment":\#(attachment)}]}}]}"#,
        #"{"a":"data:text/plain;base64,\#(base64(code))","b":\#(json(#"{"verifiableCredential":["\#(jws)"]}"#))}"#,
        #"{"a":\#(json(#"{"b":\#(json(#"{"c":"\#(code)"}"#))}"#))}"#,
        #"{"a":" \#(jws) ","b":"\#(code)","c":"\#(jws)"}"#,
        "data:,\(code)", "data:text/plain;charset=utf-8;base64,\(base64(jws))", "https://viewer.example/page#\(code)",
        "https://viewer.example/#\(jws)", "https://a.example/#shc%3A%2F\(digits(jws))",
        "mail\nhttps://a.example/#\(code)\nbye",
        #"https://a.example/#{"a":"\#(code)"}"#, "data:application/json,\(#"{"a":"\#(jws)"}"#)",
    ]) func textsInsideOthersAreFound(_ text: String) { expect(text, [Self.jws], .textWasInside) }

    @Test(arguments: [
        #""\#(jws)""#, "'\(jws)'", #""\#(code)","#, #""\#(code)";"#, #""shc:\/\#(digits(jws))""#,
        #"shc:\/\#(digits(jws))"#,
        "shc%3A%2F\(digits(jws))", "SHC%3a%2f\(digits(jws))", "shc:%2F\(digits(jws))",
        "%7B%22verifiableCredential%22%3A%5B%22\(jws)%22%5D%7D", json(#"{"verifiableCredential":["\#(jws)"]}"#),
    ]) func whatIsCertainIsSetRight(_ text: String) { expect(text, [Self.jws], .textRepaired) }

    /// The encoding of forms has a plus sign for a space. Any other text keeps its plus signs.
    @Test(arguments: [
        ("HC1%3A6B%20F%2BOX", "HC1:6B F+OX"), ("HC1%3A6B+F%2BOX", "HC1:6B F+OX"), ("HC1%3A6B%20F+OX", "HC1:6B F+OX"),
        (#"{"PREFIX":"HC1:6B F+OX","BASE45":"6B F+OX"}"#, "HC1:6B F+OX"), (#""HC1:6B F+OX","#, "HC1:6B F+OX"),
    ]) func certificatesAreFound(_ text: String, _ wanted: String) { #expect(cards(text).map(\.words) == [wanted]) }

    /// All of them are judged, in their order: a forged one is not passed over because of a genuine one.
    @Test func severalTextsAreSeveralCards() {
        let file = #"{"verifiableCredential":["\#(Self.other)"]}"#
        for second in [
            #""\#(Self.other)""#, #"["shc:/\#(Self.digits(Self.other))"]"#, Self.json(file),
            #"{"contentType":"application/smart-health-card","data":"\#(Self.base64(file))"}"#,
        ] { expect(#"{"a":"\#(Self.code)","b":\#(second)}"#, [Self.jws, Self.other], .textWasInside) }
        let damaged = [
            "eyJh.Yg", "shc:/5x", "NO1:6BF", "567629" + String(repeating: "0", count: 60),
            #"{"verifiableCredential":[],}"#,
            #"{"VerifiableCredential":[]}"#, #"["\#(Self.other)",]"#,
            "NZCP:/1/2KCEVIQEIVVWK6JNGEASNICZAEP2KALYDZSGSZB2",
        ]
        for text in damaged.dropFirst() {
            let found = cards(#"["\#(Self.jws)",\#(Self.json(text))]"#)
            #expect(found.count == 2 && found.last?.failure != nil, "\(text)")
        }
        #expect(cards(#"["\#(Self.jws)","\#(damaged[0])"]"#).count == 1)
    }

    @Test func partsInJSONAreJoined() {
        let digits = Self.digits(Self.jws)
        let parts = [#""shc:/2/2/\#(digits.dropFirst(100))""#, #""shc:/1/2/\#(digits.prefix(100))""#]
        expect("[\(parts.joined(separator: ","))]", [Self.jws], .textWasInside)
        #expect(cards("[\(parts[0])]").first?.failure?.code == .qrChunkMissing)
    }

    /// A link, a picture and a token of another kind are named, and nothing is fetched.
    @Test func whatIsNotReadIsNamed() throws {
        let link = "shlink:/eyJ1cmwiOiJodHRwczovL2EuZXhhbXBsZSJ9"
        let token = Self.base64(#"{"alg":"ES256"}"#).replacing("=", with: "") + ".e30.AAAA"
        for (text, words) in [
            (link, "SMART Health Link"), ("data:image/png;base64,iVBORw0KGgo=", "a picture"),
            (token, "a token that is no card"),
        ] {
            let beside = cards(#"{"a":"\#(text)","b":"\#(Self.jws)"}"#)
            #expect(beside.map(\.words) == [Self.jws])
            let warning = try #require(beside[0].warnings.first { $0.code == .otherTextSkipped })
            #expect(warning.message.contains("\(words) (a)"), "\(warning.message)")
            let alone = cards(#"{"a":["\#(text)"]}"#)
            #expect(alone.count == 1 && alone[0].failure?.message.contains("\(words) (a[0])") == true)
        }
        #expect(cards("shlink%3A%2FeyJ1cmwiOiJodHRwczovL2EuZXhhbXBsZSJ9").first?.failure?.code == .malformedInput)
    }

    /// Only all of a string counts, and what is refused as a whole is refused as before.
    @Test(arguments: [
        #"{"a":"see \#(code)"}"#, #"{"\#(code)":1}"#, #"{"a":"shc:/ begins each code"}"#, #"{"a":"eyJhbGciOi"}"#,
        #"{"a":"567629"}"#, #"{"a":"\#(code)","a":1}"#, #"{"a":"\#(code)",}"#, #"{"VerifiableCredential":["\#(jws)"]}"#,
        #"{"data":{"verifiableCredential":["\#(jws)"]}}"#, #"{"a":"\#(code)"} {"a":1}"#, "data:text/plain;base64,%%%",
        "data:", "\"\"", "''", "\"", "%7B", "shc%3A%2Fx", "https://a.example/#shc:/ x", "\"\(code)\" \"\(code)\"",
        "shc-\(digits(jws))",
        "shc1-1-\(digits(jws))", "shcé1-2é\(digits(jws))", "shcé-\(digits(jws))x",
    ]) func whatIsNoWholeTextIsNone(_ text: String) {
        #expect(cards(text).allSatisfy { $0.failure != nil })
    }

    /// What may be a card beside a genuine one is judged, or is refused as it is on its own.
    @Test(arguments: [
        #"{"a":"\#(jws)","b":"\#(other)\n\#(other)"}"#,
        #"{"a":"\#(jws)","b":"Cards:\n\#(other)\nshc:/\#(digits(other))"}"#,
        #"{"a":"\#(jws)","b":\#(json(#"https://v.example/#{"verifiableCredential":["\#(other)"]}"#))}"#,
        #"{"a":"\#(jws)","b":"https://v.example/#%7B%22a%22%3A%22\#(other)%22%7D"}"#,
        #"{"a":"\#(jws)","b":"https://v.example/#%5B%22\#(other)%22%5D"}"#,
        #"{"a":\#(json(#"{"verifiableCredential":["\#(jws)",5]}"#))}"#,
        #"{"a":"\#(jws)","b":\#(json(#"{"x":"\#(other)","x":1}"#))}"#,
        #"{"a":"\#(jws)","b":\#(json(#"{"x":"\#(other)",}"#))}"#,
        #"{"a":"\#(jws)","b":\#(json(#"{"x":"\#(other)"} {}"#))}"#,
        "\(jws)\nhttps://v.example/#%5B%22\(other)%22%5D",
        "\(jws)\nsee https://v.example/#%7B%22a%22%3A%22\(other)%22%7D",
        "\(code)\nor open https://v.example/#%7B%22a%22%3A%22\(other)%22%7D",
    ]) func aForgedCardIsNotPassedOver(_ text: String) {
        let found = cards(text)
        #expect(found.contains { $0.failure != nil || $0.words != Self.jws }, "\(text.prefix(80))")
    }

    @Test func whatIsNamedIsCounted() {
        let name = String(repeating: "\u{202E}", count: 41)
        let links = Array(repeating: #""shlink:/e""#, count: 100_000 - 20).joined(separator: ",")
        let found = cards(#"{"\#(name)":{"\#(name)":{"\#(name)":[\#(links)]}},"b":"\#(Self.jws)"}"#)
        #expect(found.map(\.words) == [Self.jws])
        #expect(found.first?.warnings.contains { $0.message.contains(", …") && $0.message.utf8.count < 10_000 } == true)
    }

    // MARK: Hostile inputs

    /// JSON in strings of JSON is read only so deep. What is deeper is said.
    @Test func nestedJSONEnds() {
        var text = #"{"a":"\#(Self.code)"}"#
        for level in 1...8 {
            text = #"{"a":\#(Self.json(text))}"#
            #expect((cards(text).first?.failure == nil) == (level <= 3), "\(level)")
        }
        let deep = String(repeating: #"{"a":["#, count: 60) + "\"\(Self.code)\"" + String(repeating: "]}", count: 60)
        expect(deep, [Self.jws], .textWasInside)
        #expect(cards(String(repeating: "[", count: 100_000)).first?.failure?.code == .malformedInput)
    }

    @Test func manyTextsEnd() {
        let same = "[" + Array(repeating: "\"\(Self.code)\"", count: 20_000).joined(separator: ",") + "]"
        expect(same, [Self.jws], .textWasInside)
        let many = (0...Bounds.cards + 10).map { "\"eyJh\($0).Yg.Yw\"" }.joined(separator: ",")
        let found = cards("[\(many)]")
        #expect(found.count == Bounds.cards + 1 && found.last?.failure == CredentialReader.restIsLeftOut)
        let million = "[" + String(repeating: "\"a\",", count: 1_000_000) + "\"\(Self.jws)\"]"
        #expect(cards(million).first?.failure?.code == .malformedInput)
    }

    /// Time grows with the size of the input.
    @Test(arguments: [
        "data:,", "\"", "'", "%7B", "shc%3A", "shc:\\/", "{\"a\":\"", "https://a.example/#", "shcé1",
        "data:;base64,ZGF0YTosZGF0YTos",
    ])
    func repeatedBeginningsEndSoon(_ text: String) {
        let long = String(repeating: text, count: (1 << 20) / text.utf8.count)
        let time = processorTime {
            for text in [long, "[\(Self.json(long))]", long.replacing(text, with: text + "\n")] {
                #expect(!cards(text).isEmpty)
            }
        }
        #expect(time < .seconds(60), "\(time)")
    }
}
