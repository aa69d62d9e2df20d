import Testing

@testable import HTTPSFetch

struct AddressPolicyTests {
    private let policy = AddressPolicy(allowsPrivateNetwork: false)

    @Test(
        arguments: [
            ("0.0.0.0", AddressUse.unspecified), ("0.255.255.255", .unspecified), ("10.0.0.0", .privateUse),
            ("10.255.255.255", .privateUse), ("100.64.0.0", .carrierGrade), ("100.127.255.255", .carrierGrade),
            ("127.0.0.1", .loopback), ("127.255.255.255", .loopback), ("169.254.169.254", .linkLocal),
            ("172.16.0.0", .privateUse), ("172.31.255.255", .privateUse), ("192.0.0.8", .protocolAssignment),
            ("192.0.2.1", .documentation), ("192.88.99.1", .relay), ("192.168.0.0", .privateUse),
            ("192.168.255.255", .privateUse), ("198.18.0.0", .benchmarking), ("198.19.255.255", .benchmarking),
            ("198.51.100.7", .documentation), ("203.0.113.255", .documentation), ("224.0.0.1", .multicast),
            ("239.255.255.255", .multicast), ("240.0.0.0", .reserved), ("255.255.255.254", .reserved),
            ("255.255.255.255", .broadcast), ("::", .unspecified), ("::1", .loopback), ("fc00::1", .privateUse),
            ("fdff::1", .privateUse), ("fe80::1", .linkLocal), ("febf::1", .linkLocal), ("fec0::1", .siteLocal),
            ("feff::1", .siteLocal), ("ff02::1", .multicast), ("2001:db8::1", .documentation),
            ("3fff:fff::1", .documentation),
            ("100::1", .discard), ("64:ff9b:1::808:808", .privateUse), ("2001:2::1", .benchmarking),
            ("2001:10::1", .protocolAssignment), ("2001:1ff:ffff::1", .protocolAssignment), ("4000::1", .reserved),
            ("100:0:0:1::1", .reserved), ("1fff::1", .reserved), ("5f00::1", .reserved),
        ])
    func refusesSpecialAddresses(text: String, use: AddressUse) throws {
        let address = try #require(IPAddress(host: text))
        let refusal = try #require(policy.refusal(of: address))
        #expect(refusal.use == use)
        #expect(refusal.embedded == nil)
        #expect(refusal.description == "\(text) is \(use.rawValue)")
    }

    @Test(
        arguments: [
            ("::ffff:127.0.0.1", AddressUse.loopback, "127.0.0.1"), ("::ffff:10.1.2.3", .privateUse, "10.1.2.3"),
            ("::127.0.0.1", .loopback, "127.0.0.1"), ("::2", .unspecified, "0.0.0.2"),
            ("64:ff9b::169.254.169.254", .linkLocal, "169.254.169.254"), ("2002:7f00:1::1", .loopback, "127.0.0.1"),
            ("2002:c0a8:101::", .privateUse, "192.168.1.1"),
            ("2001:0:7f00:1::f7f7:f7f7", .loopback, "127.0.0.1"),  // Teredo's server
            ("2001:0:808:808::80ff:fffe", .loopback, "127.0.0.1"),  // Teredo's client
        ])
    func judgesTheIPv4AddressInside(text: String, use: AddressUse, embedded: String) throws {
        let address = try #require(IPAddress(host: text))
        let refusal = try #require(policy.refusal(of: address))
        #expect(refusal.use == use)
        #expect(refusal.embedded == embedded)
        #expect(refusal.description.hasSuffix("stands for \(embedded), \(use.rawValue)"))
    }

    @Test(
        arguments: [
            "1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255",
            "128.0.0.1", "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "191.255.255.255",
            "192.0.1.0", "192.0.3.0", "192.167.255.255", "192.169.0.0", "198.17.255.255", "198.20.0.0",
            "198.51.101.0", "203.0.112.255", "203.0.114.0", "223.255.255.255", "2606:4700:4700::1111",
            "2001:4860:4860::8888",
            "2a00:1450:4001:81b::200e", "2001:200::1", "3fff:1000::1", "2001:db7:ffff::1", "2001:db9::1",
            "::ffff:8.8.8.8", "64:ff9b::8.8.8.8", "2002:808:808::1", "2001:0:808:808::f7f7:f7f7",
        ])
    func allowsAddressesOfTheInternet(text: String) throws {
        #expect(policy.refusal(of: try #require(IPAddress(host: text))) == nil)
    }

    @Test(
        arguments: [
            ("localhost", "localhost is a name for a loopback address"),
            ("LocalHost.", "LocalHost. is a name for a loopback address"),
            ("a.localhost", "a.localhost is a name for a loopback address"),
            ("127.0.0.1", "127.0.0.1 is a loopback address"), ("[::1]", "::1 is a loopback address"),
            ("127.0.0.1.", "127.0.0.1 is a loopback address"),
            ("2130706433", "2130706433 stands for 127.0.0.1, a loopback address"),
            ("0x7f.1", "0x7f.1 stands for 127.0.0.1, a loopback address"),
            ("0300.0250.1.1", "0300.0250.1.1 stands for 192.168.1.1, a private address"),
            ("[::ffff:127.0.0.1]", "::ffff:7f00:1 stands for 127.0.0.1, a loopback address"),
        ])
    func refusesHostsInWords(host: String, words: String) {
        #expect(policy.refusal(ofHost: host)?.description == words)
    }

    @Test(arguments: ["issuer.example", "localhost.example", "notlocalhost", "8.8.8.8", "[2606:4700::1]", "10.example"])
    func leavesOtherHostsToTheResolver(host: String) {
        #expect(policy.refusal(ofHost: host) == nil)
    }

    @Test(arguments: ["127.0.0.1", "::1", "10.0.0.1", "169.254.1.1", "fe80::1", "192.0.2.1"])
    func allowsEveryAddressIfThePrivateNetworkIsAllowed(text: String) throws {
        let policy = AddressPolicy(allowsPrivateNetwork: true)
        #expect(policy.refusal(of: try #require(IPAddress(host: text))) == nil)
        #expect(policy.refusal(ofHost: text) == nil)
        #expect(policy.refusal(ofHost: "localhost") == nil)
    }

    @Test(arguments: AddressUse.allCases)
    func alwaysSaysPrivateOrLoopback(use: AddressUse) {
        let failure = TransportFailure(AddressRefusal("192.0.2.1", use))
        #expect(failure.kind == .refusedAddress)
        #expect(failure.message.contains("private") && failure.message.contains("loopback"))
    }
}
