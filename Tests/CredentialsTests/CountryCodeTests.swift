import Encodings
import Foundation
import Testing

@testable import Credentials

@Suite struct CountryCodeTests {
    @Test(arguments: [
        ("DE", "DE"), ("DE", "de"), ("DEU", "DE"), ("de", "deu"), ("AND", "AD"), ("ZWE", "ZW"), ("XX", "xx"), ("", ""),
        ("Ministry", "ministry"),
    ])
    func twoCodesOfACountryAreTheSame(_ one: UTF8Text, _ other: UTF8Text) {
        #expect(CountryCode.isSame(one, other) == true)
        #expect(CountryCode.isSame(other, one) == true)
    }

    /// The letters of two codes are not compared with one another: AUT is no code of AU, nor SWE of SW.
    @Test(arguments: [
        ("DE", "FR"), ("DEU", "FRA"), ("DEU", "FR"), ("AUT", "AU"), ("DE", "XXA"), ("XX", "DEU"), ("DE", ""),
        ("DE", "DE "), ("DE", "D\u{415}"), ("DE, FR", "DE"), ("XX", "XY"), ("DE", "Deutschland"), ("É", "E\u{301}"),
    ])
    func otherTextsAreNotTheSame(_ one: UTF8Text, _ other: UTF8Text) {
        #expect(CountryCode.isSame(one, other) == false)
        #expect(CountryCode.isSame(other, one) == false)
    }

    @Test func codesOfNoCountryCannotBeComparedOverLengths() {
        #expect(CountryCode.isSame("XX", "XXA") == nil)
        #expect(CountryCode.isSame("EUE", "EU") == nil)
    }

    @Test func knowsCodesByTheirForm() {
        for code: UTF8Text in ["DE", "deu", "XX"] { #expect(CountryCode.isCode(code)) }
        for text: UTF8Text in ["", "D", "DEUT", "D1", "D\u{415}"] { #expect(!CountryCode.isCode(text)) }
    }

    // MARK: The table

    private static let listed = "/usr/share/iso-codes/json/iso_3166-1.json"
    private static let isInstalled = FileManager.default.fileExists(atPath: listed)

    @Test func eachCountryStandsInTheTableOnce() {
        let rows = CountryCode.table.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }
        #expect(rows.count == 249)
        #expect(rows.allSatisfy { $0.count == 5 })
        #expect(Set(rows.map { Array($0.prefix(2)) }).count == rows.count)
        #expect(Set(rows.map { Array($0.suffix(3)) }).count == rows.count)
    }

    @Test(.enabled(if: isInstalled, "Debian's package iso-codes is not installed"))
    func tableIsThatOfISO() throws {
        let list = try JSONDocument.parse([UInt8](Data(contentsOf: URL(fileURLWithPath: Self.listed))))
        let rows = list["3166-1"]?.elements?.compactMap { country -> String? in
            guard let two = country["alpha_2"]?.string, let three = country["alpha_3"]?.string else { return nil }
            return two.description + three.description
        }
        let table = String(decoding: CountryCode.table, as: UTF8.self)
        #expect(rows?.sorted().joined(separator: " ") == table.replacing("\n", with: " "))
    }

    /// Only two codes of countries can certainly be of different ones.
    @Test(
        arguments: [
            ("DE", "FR", true), ("DE", "FRA", true), ("deu", "fr", true), ("DEU", "FRA", true), ("DE", "DEU", false),
            ("DE", "de", false), ("DE", "EU", false), ("DE", "UN", false), ("DE", "XXA", false), ("DE", "XA", false),
            ("EU", "UN", false), ("DE", "", false), ("DE", "Germany", false), ("DE", "EUE", false), ("ED", "FR", false),
        ] as [(UTF8Text, UTF8Text, Bool)])
    func onlyCodesOfCountriesAreDifferent(one: UTF8Text, other: UTF8Text, areDifferent: Bool) {
        #expect(CountryCode.areDifferent(one, other) == areDifferent)
        #expect(CountryCode.areDifferent(other, one) == areDifferent)
    }
}
