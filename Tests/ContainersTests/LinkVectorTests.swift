import Credentials
import Cryptography
import Encodings
import Foundation
import Inputs
import TestSupport
import Testing

@testable import Containers

/// Files of links that an independent implementation encrypted, and the links, files and manifests in the shared folder.
@Suite struct LinkVectorTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "TestVectors/links")

    private static func key(_ text: JSONValue?) throws -> SecretBytes {
        let reading = HealthLink(
            link(["url": "https://a.example/", "key": try #require(text?.string).description]))
        return try #require(reading.target).key
    }

    static func link(_ members: [String: String]) -> [UInt8] {
        let payload =
            "{" + members.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\"\($0.value)\"" }.joined(separator: ",")
            + "}"
        return Array("shlink:/\(Data(payload.utf8).base64EncodedString().replacing("=", with: ""))".utf8)
    }

    /// The kind of a file's content, or the code of the reason why it cannot be read.
    private static func outcome(of text: [UInt8], key: SecretBytes, claimed: UTF8Text? = nil) throws -> String {
        let opener = FileOpener(key: key, inflater: try Inflater())
        var budget = ContainerBudget()
        do throws(VerificationFailure) {
            let (plaintext, contentType) = try opener.open(text, within: &budget)
            let file = try LinkClient.Opening.File(plaintext, encryptedType: claimed ?? contentType)
            return file.summary.kind?.rawValue ?? ""
        } catch {
            return error.code.rawValue
        }
    }

    /// One address with two links says which one was read.
    @Test func warnsOfASecondLinkInAnAddress() throws {
        let link = { (url: String) in
            String(decoding: Self.link(["url": url, "key": String(repeating: "A", count: 43)]), as: UTF8.self)
        }
        let (first, second) = (link("https://a.example/"), link("https://b.example/"))
        for (text, url, count) in [
            ("https://v.example/#\(first)", "https://a.example/", 0),
            ("https://v.example/?shlink=\(second)#\(first)", "https://a.example/", 1),
            ("https://v.example/?shlink=\(first)#\(first)", "https://a.example/", 0),
            ("https://v.example/?shl=\(first.dropFirst(8))#\(first)", "https://a.example/", 0),
            ("https://v.example/?shlink=\(first)", "https://a.example/", 1),
            ("https://v.example/?shlink=\(first)&shl=\(first)", "https://a.example/", 1),
            ("https://v.example/?shlink=\(second)&shl=\(first)", "https://b.example/", 2),
        ] {
            let reading = HealthLink(Array(text.utf8))
            #expect(reading.target?.url == url && reading.warnings.count == count, "\(text)")
        }
        // Two in a fragment are none.
        #expect(HealthLink(Array("https://v.example/#\(first),\(second)".utf8)).target == nil)
    }

    @Test func opensTheFilesOfAnotherImplementation() throws {
        let index = try JSONDocument.parse(Array(Data(contentsOf: Self.folder.appending(path: "links.json"))))
        let key = try Self.key(index["key"])
        let files = try #require(index["files"]?.elements)
        #expect(files.count > 25)
        for file in files {
            let name = try #require(file["file"]?.string).description
            let expected = file["expect"]?.string?.description
            let text = Array(try Data(contentsOf: Self.folder.appending(path: name)))
            let outcome = try Self.outcome(of: text, key: key)
            // What is wrong with cards in a form of their own is found by the reader of cards.
            if outcome == "health-card", expected == "malformed-input" { continue }
            #expect(outcome == expected, "\(name)")
        }
    }

    @Test func refusesEveryFlippedByte() throws {
        let index = try JSONDocument.parse(Array(Data(contentsOf: Self.folder.appending(path: "links.json"))))
        let key = try Self.key(index["key"])
        let text = Array(try Data(contentsOf: Self.folder.appending(path: "card-deflated.jwe")))
        let accepted = ["malformed-jwe", "decryption-failed", "unsupported-encryption", "unsupported-compression"]
        for place in text.indices {
            var changed = text
            changed[place] = changed[place] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            #expect(accepted.contains(try Self.outcome(of: changed, key: key)), "byte \(place)")
        }
    }

    @Test(.enabled(if: SharedData.isPresent, "\(SharedData.absence)"))
    func filesOfOthersAreReadAsExpected() throws {
        let cases = try JSONDocument.parse(SharedData.bytes("links/cases.json"))
        for file in try #require(cases["files"]?.elements) {
            let path = try #require(file["file"]?.string).description
            let expect = try #require(file["expect"])
            let expected = (expect["reason"] ?? expect["kind"])?.string?.description
            let outcome = try Self.outcome(of: SharedData.bytes("links/\(path)"), key: try Self.key(file["key"]))
            if path.hasSuffix("no-cards.jwe") { continue }
            #expect(outcome == expected, "\(path)")
        }
    }

    @Test(.enabled(if: SharedData.isPresent, "\(SharedData.absence)"))
    func linksOfOthersAreReadAsExpected() throws {
        let cases = try JSONDocument.parse(SharedData.bytes("links/cases.json"))
        for link in try #require(cases["links"]?.elements) {
            let name = link["id"]?.string?.description ?? ""
            let text = Array(try #require(link["text"]?.string).utf8)[...].drop { $0 <= 0x20 || $0 >= 0x80 }
            let expect = try #require(link["expect"])
            let reading = HealthLink(Array(text.prefix { $0 > 0x20 }))
            #expect(reading.problems.first?.failure.code.rawValue == expect["reason"]?.string?.description, "\(name)")
            guard expect["reason"] == nil else { continue }
            #expect(reading.url == expect["url"]?.string, "\(name)")
            #expect(reading.label == expect["label"]?.string, "\(name)")
            #expect(reading.flags ?? "" == expect["flags"]?.string ?? "", "\(name)")
            #expect(reading.expires?.sinceEpoch.components.seconds == expect["exp"]?.number?.integer, "\(name)")
            let warnings = Set(expect["warnings"]?.elements?.compactMap { $0.string?.description } ?? [])
            #expect(Set(reading.warnings.map(\.code.rawValue)) == warnings, "\(name)")
        }
    }

    @Test(.enabled(if: SharedData.isPresent, "\(SharedData.absence)"))
    func manifestsOfOthersAreReadAsExpected() throws {
        let cases = try JSONDocument.parse(SharedData.bytes("links/cases.json"))
        for manifest in try #require(cases["manifests"]?.elements) {
            let name = manifest["id"]?.string?.description ?? ""
            let expect = try #require(manifest["expect"])
            let read = Result { () throws(VerificationFailure) in
                try LinkClient.Manifest(manifest["body"]?.stringBytes ?? [])
            }
            switch read {
            case .failure(let failure):
                #expect(failure.code.rawValue == expect["reason"]?.string?.description, "\(name)")
            case .success(let manifest):
                let failures = manifest.entries.compactMap { entry -> String? in
                    guard case .failure(let failure) = entry.content else { return nil }
                    return failure.code.rawValue
                }
                guard let files = expect["files"]?.elements else {
                    #expect(failures.first == expect["reason"]?.string?.description, "\(name)")
                    continue
                }
                #expect(manifest.status == expect["status"]?.string, "\(name)")
                let found = manifest.entries.map(\.file).map {
                    [$0.delivery.map { UTF8Text($0.rawValue) }, $0.contentType, $0.status, $0.fhirVersion]
                }
                #expect(found == files.map { $0.elements?.map(\.string) ?? [] }, "\(name)")
            }
        }
    }
}

/// What is read from a link, and what is refused.
@Suite struct LinkReadingTests {
    private static let key = "LHDhK3oGRvkiefQnx7OOczTY5Tic_xZ6HcMOc_gmtoM"

    private static func reading(_ payload: String) -> HealthLink {
        let text = Data(payload.utf8).base64EncodedString()
            .replacing("=", with: "").replacing("+", with: "-").replacing("/", with: "_")
        return HealthLink(Array("shlink:/\(text)".utf8))
    }

    private static func reading(adding members: String) -> HealthLink {
        reading(#"{"url":"https://a.example/m","key":"\#(key)",\#(members)}"#)
    }

    @Test(arguments: [
        #""exp":"12a""#, #""exp":true"#, #""exp":"""#, #""flag":1"#, #""flag":"PU""#, #""flag":"UP""#, #""label":1"#,
        #""url":"https://b.example""#,
    ]) func refusesWrongMembers(_ member: String) {
        #expect(Self.reading(adding: member).problems.first?.failure.code == .malformedLink)
    }

    @Test(arguments: [
        "http://a.example", "ftp://a.example", "https://user@a.example/", "https://a.example/\\u0000", "a.example", "",
        "https://a.example/" + String(repeating: "x", count: 2048), "https:///m",
    ]) func refusesOtherAddresses(_ url: String) {
        let reading = Self.reading(#"{"url":"\#(url)","key":"\#(Self.key)"}"#)
        #expect(reading.problems.first?.failure.code == .malformedLink)
        #expect(reading.target == nil)
    }

    @Test(arguments: [#""v":2"#, #""v":"2""#, #""v":1.5"#, #""v":true"#, #""v":{}"#, #""v":1e400"#])
    func refusesOtherVersions(_ member: String) {
        #expect(Self.reading(adding: member).problems.first?.failure.code == .unsupportedLinkVersion)
    }

    /// The version is a number and no date: what no date can be is still named.
    @Test(arguments: [(#""v":10e-1"#, 1), (#""v":-3"#, -3), (#""v":9000000000000000000"#, 9_000_000_000_000_000_000)])
    func theVersionIsAWholeNumber(_ member: String, _ version: Int) {
        #expect(Self.reading(adding: member).version == version)
    }

    /// The other members of another version may be others.
    @Test(arguments: [
        #"{"v":2}"#, #"{"v":2,"key":"x","url":7,"flag":[],"exp":"soon"}"#, #"{"url":"http://a.example","v":"2"}"#,
    ])
    func theVersionIsJudgedFirst(_ payload: String) {
        let reading = Self.reading(payload)
        #expect(reading.problems.first?.failure.code == .unsupportedLinkVersion)
        #expect(reading.target == nil)
    }

    @Test(arguments: [
        #""exp":null,"flag":null,"label":null,"v":null"#, #""v":1.0"#, #""v":1e0"#, #""exp":4102444800.5"#,
        #""exp":1e300"#, #""flag":"""#, #""flag":"LLZ""#, #""_x":1,"extension":[]"#,
    ]) func acceptsWithoutWarning(_ member: String) {
        let reading = Self.reading(adding: member)
        #expect(reading.target != nil && reading.warnings.isEmpty, "\(reading.problems) \(reading.warnings)")
    }

    @Test func limitsThePayload() {
        let long = Self.reading(adding: #""x":"\#(String(repeating: "y", count: 17_000))""#)
        #expect(long.problems.first?.failure.code == .malformedLink)
        let fits = Self.reading(adding: #""x":"\#(String(repeating: "y", count: 16_000))""#)
        #expect(fits.target != nil)
    }

    @Test func noMessageNamesTheKey() {
        for payload in [
            #"{"url":1,"key":"\#(Self.key)"}"#, #"{"url":"https://a.example","key":"\#(Self.key)AA"}"#,
            #"{"url":"https://a.example","key":"\#(Self.key)!"}"#,
            #"{"url":"https://a.example","key":"\#(Self.key)"} x"#,
        ] {
            let reading = Self.reading(payload)
            #expect(!reading.problems.isEmpty)
            for problem in reading.problems { #expect(!problem.message.contains("LHDhK3o"), "\(problem.message)") }
        }
    }

    @Test(arguments: [
        "https://v.example/#a=1&shlink:/", "https://v.example/x?shl=e30#", "https://v.example/?a=b&shlink=shlink:/e30",
        "SHLINK:/e30", "shlink://e30", "https://v.example/%23#shlink%3a%2fe30",
    ]) func recognisesUnusualForms(_ text: String) {
        #expect(SMARTHealthLinkText(Array(text.utf8)[...]) != nil)
        #expect(InputForm(Array(text.utf8)[...]) == .link)
    }

    @Test(arguments: [
        "https://issuer.example/#{\"verifiableCredential\":[]}", "https://issuer.example/?shl=x", "shc:/5676",
        "eyJ.eyJ.e30",
        "https://issuer.example/?shlink=e30#{\"verifiableCredential\":[]}", "xshlink", "shlin",
    ]) func takesNothingElseForALink(_ text: String) {
        #expect(InputForm(Array(text.utf8)[...]) != .link)
    }

    @Test(arguments: ["\"shlink:/e30\"", "see shlink:/e30 .", "xSHLINK:/e30"]) func textAroundALinkIsAnError(
        _ text: String
    ) {
        #expect(InputForm(Array(text.utf8)[...]) == .link)
        #expect(HealthLink(Array(text.utf8)).problems.first?.failure.code == .malformedLink)
    }

    /// A stranger's text must not take long.
    @Test func readsExpensiveTextFast() {
        let marks = String(repeating: "\u{301}\u{323}", count: 4000)
        let time = processorTime {
            _ = Self.reading(adding: #""label":"\#(marks)","flag":"\#(marks)""#)
            _ = HealthLink(Array(("https://v.example/#" + String(repeating: "shlink:", count: 15_000)).utf8))
            _ = HealthLink(Array(("https://v.example/?" + String(repeating: "shl=&", count: 20_000)).utf8))
            #expect(
                SMARTHealthLinkText(Array(("https://v.example/#" + String(repeating: "%", count: 200_000)).utf8)[...])
                    == nil)
        }
        #expect(time < .seconds(300), "\(time)")
    }
}
