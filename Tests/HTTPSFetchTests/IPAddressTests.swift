import Testing

@testable import HTTPSFetch

struct IPAddressTests {
    @Test(
        arguments: [
            ("127.0.0.1", "127.0.0.1"), ("127.1", "127.0.0.1"), ("127.0.1", "127.0.0.1"), ("2130706433", "127.0.0.1"),
            ("0x7f000001", "127.0.0.1"), ("0X7F.1", "127.0.0.1"), ("0177.0.0.01", "127.0.0.1"),
            ("017700000001", "127.0.0.1"), ("0", "0.0.0.0"), ("10.256", "10.0.1.0"), ("1.2.772", "1.2.3.4"),
            ("255.255.255.255", "255.255.255.255"), ("4294967295", "255.255.255.255"),
        ])
    func readsEveryNotationOfIPv4(text: String, address: String) {
        #expect(IPAddress(host: text)?.description == address)
    }

    @Test(
        arguments: [
            ("::", "::"), ("::1", "::1"), ("[::1]", "::1"), ("1::", "1::"), ("2001:DB8::0:1", "2001:db8::1"),
            ("2001:db8:0:0:1:0:0:1", "2001:db8::1:0:0:1"), ("1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8"),
            ("1:0:3:4:5:6:7:8", "1:0:3:4:5:6:7:8"), ("::ffff:192.0.2.1", "::ffff:c000:201"),
            ("1:2:3:4:5:6:1.2.3.4", "1:2:3:4:5:6:102:304"), ("fe80::1", "fe80::1"),
        ])
    func readsIPv6(text: String, address: String) {
        #expect(IPAddress(host: text)?.description == address)
    }

    @Test(
        arguments: [
            "", ".", "localhost", "1.2.3.4.5", "256.1.1.1", "1.2.3.256", "1.2.65536", "1.16777216", "4294967296", "08",
            "0x",
            "0x1g", "1.2.3.", ".1.2.3", "+1", "-1", "1 ", "a.b", "99999999999999999999", "issuer.example",
            ":", ":::", "::1::", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1::2:3:4:5:6:7:8", "::12345", "::g", "::+1",
            "[::1",
            "fe80::1%eth0", "::1.2.3", "::1.2.3.256", "1.2.3.4::", "::1.2.3.4:5",
        ])
    func readsNothingElse(text: String) {
        #expect(IPAddress(host: text) == nil)
    }

    @Test func hasFourOrSixteenBytes() {
        #expect(IPAddress(bytes: [1, 2, 3]) == nil)
        #expect(IPAddress(bytes: []) == nil)
        #expect(IPAddress(bytes: [1, 2, 3, 4])?.isIPv4 == true)
        #expect(IPAddress(bytes: Array(repeating: 0, count: 16))?.isIPv4 == false)
    }
}
