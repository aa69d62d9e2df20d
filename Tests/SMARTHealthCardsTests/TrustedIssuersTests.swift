import Credentials
import Cryptography
import Encodings
import Testing

@testable import SMARTHealthCards

/// The issuers for which sources vouch, and hints about issuers that are not listed.
@Suite struct TrustedIssuersTests {
    private static let list = #"""
        {"participating_issuers":[
          {"iss":"https://A.example/Cards","name":"A"}, {"iss":"https://b.example","canonical_iss":"https://c.example"},
          {"iss":"https://unsigned.example"}, {"iss":"https://b.example","name":"B"}, {"name":"nobody"}, 7]}
        """#
    private static let snapshot = #"""
        {"issuerInfo":[
          {"issuer":{"iss":"https://A.example/Cards"},"keys":[{"kid":"1"}],"lastRetrieved":"2026-05-01T00:00:00Z"},
          {"issuer":{"iss":"https://b.example"},"keys":[]}, {"issuer":{"iss":"https://former.example"},"keys":[{}]},
          {"issuer":{"iss":"https://A.example/Cards","name":"Other"},"keys":[{"kid":"2"},{"kid":"3"}]}, {"keys":[{}]}]}
        """#

    private func directory(_ text: String) throws -> IssuerDirectory { try IssuerDirectory(Array(text.utf8)) }

    private func trusted(_ sources: DirectorySource...) -> TrustedIssuers {
        sources.reduce(into: TrustedIssuers()) { $0.add($1) }
    }

    private var folder: DirectorySource {
        get throws { try DirectorySource(list: directory(Self.list), snapshot: directory(Self.snapshot)) }
    }

    private func urls(_ trusted: TrustedIssuers) -> [String] { trusted.entries.map(\.issuer.url) }

    @Test func eachSourceVouchesForItsOwnIssuers() throws {
        let (list, snapshot) = (
            DirectorySource(try directory(Self.list)), DirectorySource(try directory(Self.snapshot))
        )
        #expect(urls(trusted(list)) == ["https://A.example/Cards", "https://b.example", "https://unsigned.example"])
        #expect(urls(trusted(snapshot)) == ["https://A.example/Cards", "https://b.example", "https://former.example"])
        #expect(urls(trusted(try folder)) == ["https://A.example/Cards", "https://b.example"])
        let all = trusted(snapshot, list)
        #expect(all.entries.count == 4)
        for entry in all.entries { #expect(all.trust(in: entry.issuer) == .directory) }
        #expect(all.trust(in: Issuer(unchecked: "https://c.example")) == nil)
    }

    @Test func combinesTwoEntriesOfOneIssuer() throws {
        let trusted = trusted(try folder)
        let issuer = Issuer(unchecked: "https://A.example/Cards")
        let snapshots = trusted.snapshots(of: issuer)
        #expect(snapshots.flatMap(\.keySet.keys).map(\.keyID?.description) == ["1", "2", "3"])
        #expect(snapshots.map { $0.retrieved == nil } == [false, true], "each entry has its own age")
        let other = try #require(trusted.entry(for: Issuer(unchecked: "https://b.example")))
        #expect(other.name == "B" && other.canonicalIssuer?.url == "https://c.example")
        #expect(try directory(Self.snapshot).entry(for: issuer)?.name == "Other", "the first entry has no name")
        #expect(try directory(Self.snapshot).keyCount == 4)
    }

    @Test func keysComeOnlyFromSourcesThatVouchForTheIssuer() throws {
        let former = Issuer(unchecked: "https://former.example")
        #expect(trusted(try folder).snapshots(of: former).isEmpty)
        #expect(trusted(try folder).otherSnapshots(of: former).count == 1)
        let both = trusted(try folder, DirectorySource(try directory(Self.snapshot)))
        #expect(both.snapshots(of: former).count == 1 && both.otherSnapshots(of: former).count == 1)
        #expect(both.isMissingFromLists(former))
    }

    @Test func snapshotDoesNotVouchForIssuersThatItCouldNotReach() throws {
        let entry = { (members: String) in #"{"issuer":{"iss":"https://a.example"},"error":"no answer"\#(members)}"# }
        let source = { (entries: String...) throws in
            try DirectorySource(directory(#"{"issuerInfo":[\#(entries.joined(separator: ","))]}"#))
        }
        let issuer = Issuer(unchecked: "https://a.example")
        for bare in ["", #","keys":[]"#, #","keys":null,"crls":[]"#] {
            let unreached = trusted(try source(entry(bare)))
            #expect(unreached.trust(in: issuer) == nil && unreached.unreached.map(\.problem) == ["no answer"])
        }
        // What else an entry says came from the issuer.
        for (one, other) in [(#","keys":[{"kid":"1"}]"#, ""), ("", #","crls":[{}]"#)] {
            let reached = trusted(try source(entry(one), entry(other)))
            #expect(reached.trust(in: issuer) == .directory && reached.unreached.isEmpty)
        }
    }

    /// At a limit of ten seconds: the last moment at which keys of 2026-05-01T00:00:00Z may be used, and the first at which their date may
    /// be in the future.
    @Test(arguments: [
        (Duration.seconds(10), true), (.seconds(10) + .nanoseconds(1), false),
        (.seconds(-86_400) + .nanoseconds(1), true), (.seconds(-86_400), false),
    ])
    func keysOfADirectoryHaveALargestAge(_ age: Duration, _ areUsed: Bool) throws {
        var policy = CardPolicy.test(now: NumericDate(sinceEpoch: .seconds(1_777_593_600) + age))
        policy.trustedIssuers = trusted(DirectorySource(try directory(Self.snapshot)))
        let issuer = Issuer(unchecked: "https://A.example/Cards")
        let names = { LocalKeys(of: issuer, by: policy).listed.keys.map(\.keyID?.description) }
        #expect(names() == ["1", "2", "3"])
        policy.maximumDirectoryAge = .seconds(10)
        // Without a date, keys have no known age.
        #expect(names() == (areUsed ? ["1"] : []))
    }

    @Test func rejectsListAndSnapshotInTheWrongPlace() throws {
        let (list, snapshot) = (try directory(Self.list), try directory(Self.snapshot))
        for (one, other) in [(list, list), (snapshot, snapshot), (snapshot, list)] {
            #expect(throws: Malformed.self) { try DirectorySource(list: one, snapshot: other) }
        }
    }

    @Test(arguments: [
        ("https://a.example/cards", "https://A.example/Cards"), ("https://A.example/Cards/", "https://A.example/Cards"),
        ("HTTPS://A.EXAMPLE/CARDS//", "https://A.example/Cards"), ("https://B.example", "https://b.example"),
        ("https://Named.example/", "https://named.example"), ("https://c.example", "https://b.example"),
        // Only in the list, or only in the snapshot, so the source does not vouch for them.
        ("https://UNSIGNED.example", nil), ("https://FORMER.example", nil),
        ("https://a.example/card", nil), ("https://a.example/cards/x", nil), ("https://C.example", nil),
        // The Kelvin sign, which Unicode folds to "k". Only ASCII letters are compared without case here.
        ("https://\u{212A}.example", nil), ("", nil), ("/", nil),
    ])
    func namesAListedIssuerThatIsSimilar(_ url: String, _ near: String?) throws {
        var trusted = trusted(try folder)
        for url in ["https://named.example", "https://k.example"] { trusted.allow(Issuer(unchecked: url)) }
        let words = trusted.nearMiss(of: Issuer(unchecked: url))
        #expect(words?.contains("\"\(near ?? "")\"") == (near == nil ? nil : true), "\(words ?? "nothing")")
        #expect(words?.contains("canonical_iss") == (near == nil ? nil : url == "https://c.example"))
    }
}
