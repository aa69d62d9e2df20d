import Credentials
import Cryptography
import Encodings
import SMARTHealthCards
import TestSupport
import Testing

@Suite struct IssuerTests {
    @Test(arguments: [
        "https://a", "https://issuer.example", "https://issuer.example/cards", "https://issuer.example/a/b/c",
        "https://Issuer.Example/Cards", "https://issuer.example:443", "https://issuer.example:65535/x",
        "https://issuer.example./x", "https://192.0.2.1/x", "https://[2001:db8::1]", "https://[2001:db8::1]:8443/x",
        "https://[::ffff:192.0.2.1]/x", "https://xn--bcher-kva.example", "https://a_b.example/~user/x;y=1,2+3@z!$&'()*",
        "https://issuer.example/%41%2f%C3%A9", "https://issuer.example//x", "https://issuer.example/.well-known/x",
        "https://issuer.example/..x/...", "https://issuer.example/a:b",
    ])
    func acceptsValidIssuerURLs(_ url: String) throws {
        let issuer = try Issuer(url)
        #expect(issuer.url == url)
        #expect(issuer.description == url)
        #expect(issuer.keySetURL == url + "/.well-known/jwks.json")
    }

    @Test(arguments: [
        ("", "https://"), ("issuer.example", "https://"), ("http://issuer.example", "https://"),
        ("HTTPS://issuer.example", "https://"), ("https:/issuer.example", "https://"),
        ("did:web:issuer.example", "https://"),
        (" https://issuer.example", "https://"), ("\u{FEFF}https://issuer.example", "https://"),
        ("https://issuer.example/", "slash"), ("https://issuer.example/x/", "slash"), ("https://", "slash"),
        ("https://issuer.example?x", "query"), ("https://issuer.example/x?", "query"),
        ("https://issuer.example#x", "fragment"), ("https://issuer.example/x#", "fragment"),
        ("https://user@issuer.example", "user"), ("https://user:secret@issuer.example/x", "user"),
        ("https://@issuer.example", "user"),
        ("https:///x", "no host"), ("https://:443/x", "no host"),
        ("https://issuer.example:/x", "port"), ("https://issuer.example:0/x", "port"),
        ("https://issuer.example:65536", "port"), ("https://issuer.example:443x", "port"),
        ("https://issuer.example:+443", "port"), ("https://issuer.example:-1", "port"),
        ("https://a:b:443", "invalid host"), ("https://issuer,example", "invalid host"),
        ("https://issuer%2eexample", "invalid host"), ("https://issuer..example", "invalid host"),
        ("https://.", "invalid host"), ("https://..", "invalid host"),
        ("https://.example", "invalid host"),
        ("https://[2001:db8::1", "invalid host"), ("https://2001:db8::1]", "invalid host"),
        ("https://[2001:db8::1]x", "port"), ("https://[]", "invalid host"),
        ("https://[example.com]", "invalid host"), ("https://[::1%25eth0]", "invalid host"),
        ("https://[v1.x]:443", "invalid host"), ("https://x[::1]", "invalid host"),
        ("https://issuer.example/.", "path"), ("https://issuer.example/..", "path"),
        ("https://issuer.example/./x", "path"),
        ("https://issuer.example/x/../y", "path"), ("https://issuer.example/%2e", "path"),
        ("https://issuer.example/%2E%2e/x", "path"), ("https://issuer.example/.%2E/x", "path"),
        ("https://issuer.example/%2e./x", "path"),
        ("https://issuer.example/%", "hexadecimal"), ("https://issuer.example/%4", "hexadecimal"),
        ("https://issuer.example/%4/x", "hexadecimal"), ("https://issuer.example/%zz", "hexadecimal"),
        ("https://issuer.example/%%41", "hexadecimal"),
        ("https://issuer.example/a b", "not allowed in a URL"), ("https://issuer.example\\x", "not allowed in a URL"),
        ("https://issuer.example/\n", "not allowed in a URL"), ("https://issuer.example/\u{0}", "not allowed in a URL"),
        ("https://issuer.example/\u{7F}", "not allowed in a URL"), ("https://issuer.example/é", "not allowed in a URL"),
        ("https://\u{212A}.example", "not allowed in a URL"), ("https://issuer.example/<x>", "not allowed in a URL"),
        ("https://issuer.example/{x}", "not allowed in a URL"), ("https://issuer.example/\"", "not allowed in a URL"),
        ("https://issuer.example/x\u{301}", "not allowed in a URL"),
        ("https://issuer.example/|^`", "not allowed in a URL"),
    ])
    func rejectsInvalidIssuerURLsAndSaysWhy(_ url: String, _ words: String) throws {
        let failure = try #require(throws: VerificationFailure.self) { _ = try Issuer(url) }
        #expect(failure.code == .invalidIssuerURL)
        #expect(failure.message.contains(words), "\(failure.message)")
        #expect(failure.message.isFitToPrint)
    }

    @Test func acceptsNoMoreThan2048Characters() throws {
        let url = "https://issuer.example/" + String(repeating: "x", count: 2048 - 23)
        #expect(try Issuer(url).url.utf8.count == 2048)
        let failure = try #require(throws: VerificationFailure.self) { _ = try Issuer(url + "x") }
        #expect(failure.message.contains("2048"))
    }

    @Test func shortensLongURLInTheMessage() throws {
        for filling in ["x", "e\u{301}\u{301}", "\u{301}", "\u{1F468}\u{200D}", "\u{1B}"] {
            let url = "http://a" + String(repeating: filling, count: 100_000)
            let failure = try #require(throws: VerificationFailure.self) { _ = try Issuer(url) }
            #expect(failure.message.isFitToPrint)
        }
    }

    // MARK: Comparison

    @Test(arguments: [
        ("https://issuer.example", "https://Issuer.example"), ("https://issuer.example", "https://issuer.example/"),
        ("https://issuer.example", "https://issuer.example:443"),
        ("https://issuer.example/%41", "https://issuer.example/A"),
        // For Swift these strings are equal.
        ("https://K.example", "https://\u{212A}.example"),
        ("https://issuer.example/\u{E9}", "https://issuer.example/e\u{301}"),
        ("https://issuer.example/;", "https://issuer.example/\u{37E}"),
    ])
    func issuersThatDifferInAnyByteAreDifferent(_ left: String, _ right: String) {
        let (left, right) = (Issuer(unchecked: left), Issuer(unchecked: right))
        #expect(left != right)
        #expect(Set([left, right]).count == 2)
        var trusted = TrustedIssuers()
        trusted.allow(left)
        trusted.allow(right)
        #expect(trusted.isEmpty == false)
        var keys = GivenKeys()
        keys.add(TestVectors.noKeys, for: left)
        #expect(keys.sets(for: left).count == 1)
        #expect(keys.sets(for: right).isEmpty)
    }

    @Test func issuersWithTheSameBytesAreEqual() {
        let built = "https://issuer.example/" + ["x", "y"].joined(separator: "/")
        #expect(Issuer(unchecked: built) == Issuer(unchecked: "https://issuer.example/x/y"))
        #expect(Set([Issuer(unchecked: built), Issuer(unchecked: "https://issuer.example/x/y")]).count == 1)
    }
}
