internal import Processes

/// The proxy that the environment sets. It is found as libcurl finds it: `https_proxy`, then `all_proxy`, unless
/// `no_proxy` exempts the host. The lower-case name of each variable comes first.
///
/// The proxy is looked up here and not left to libcurl, because the address policy must know whether there is one.
package struct EnvironmentProxy {
    /// The variables that name proxies and hosts without one.
    static let variables = ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY"]

    private let environment: [String: String]

    package init(_ environment: [String: String]) {
        self.environment = environment
    }

    /// - Returns: the proxy for a URL, as the environment gives it, or nil for none.
    /// - Throws: `TransportFailure` if there is a proxy that libcurl would not use.
    package func proxy(for url: HTTPSURL) throws(TransportFailure) -> String? {
        let names = ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
        guard let proxy = names.lazy.compactMap({ environment[$0] }).first, !proxy.isEmpty, !isExempt(url.host)
        else { return nil }
        // If the user or password has an escaped control character, libcurl 7.88 ignores the proxy and connects to the
        // server itself. Then no address would be refused.
        let pairs = zip(proxy.utf8, proxy.utf8.dropFirst())
        guard !pairs.contains(where: { $0 == UInt8(ascii: "%") && [0x30, 0x31].contains($1) }) else {
            throw TransportFailure(
                .connection, "the proxy that the environment names has an address that cannot be used")
        }
        return proxy
    }

    /// The host and port of the proxy that this process's environment sets for a URL; nil if there is none. A user name and a
    /// password are left out.
    package static func address(for url: String) -> String? {
        let environment = variables.reduce(into: [:]) { $0[$1] = HostProcess.environmentVariable($1) }
        guard let url = try? HTTPSURL(url), let proxy = try? EnvironmentProxy(environment).proxy(for: url) else {
            return nil
        }
        return address(ofProxy: proxy)
    }

    /// The host and port of a proxy. Whatever could be a part of a password is left out.
    static func address(ofProxy proxy: String) -> String {
        // The last @ counts, wherever it is: a password may have a slash that is not escaped.
        var rest = Array(proxy.utf8)[...]
        if let at = rest.lastIndex(of: UInt8(ascii: "@")) {
            rest = rest[(at + 1)...]
        } else if let scheme = rest.firstRange(of: "://".utf8) {
            rest = rest[scheme.upperBound...]
        }
        return String(
            decoding: rest.prefix { ![UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#")].contains($0) },
            as: UTF8.self)
    }

    private func isExempt(_ host: String) -> Bool {
        guard let list = environment["no_proxy"] ?? environment["NO_PROXY"] else { return false }
        if list == "*" { return true }
        let entries = list.split { $0 == "," || $0.isWhitespace }
        if let address = IPAddress(host: host) { return entries.contains { Self.contains($0, address) } }
        let name = Self.plain(host[...])
        return entries.contains { entry in
            let domain = Self.plain(entry.hasPrefix(".") ? entry.dropFirst() : entry)
            return !domain.isEmpty && (name == domain || name.hasSuffix("." + domain))
        }
    }

    private static func plain(_ name: Substring) -> String {
        (name.hasSuffix(".") ? name.dropLast() : name).lowercased()
    }

    /// Whether an entry of `no_proxy` is this address, or a range that contains it (`10.0.0.0/8`).
    private static func contains(_ entry: Substring, _ address: IPAddress) -> Bool {
        let parts = entry.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let network = parts.first.flatMap({ IPAddress(host: String($0)) }),
            network.isIPv4 == address.isIPv4
        else { return false }
        let bits = 8 * address.bytes.count
        guard let length = parts.count == 1 ? bits : Int(parts[1]), (0...bits).contains(length) else { return false }
        return address.begins(with: network.bytes, bits: length)
    }
}
