internal import CURLHook
internal import Foundation
internal import IssuerNetwork

/// What libcurl is told about a transfer before URLSession begins it.
struct TransferSettings {
    /// How long the transfer may take.
    var timeout: Duration
    /// The largest body that is wanted, in bytes.
    var maximumBodySize: Int
    /// The proxy, or nil for none.
    var proxy: String?
    /// PEM certificates, all of the TLS roots there are; nil for libcurl's own.
    var roots: Data?
    /// Which addresses may be contacted.
    var policy: AddressPolicy
    /// The versions of TLS that are offered to the server; a proxy is offered the standard ones.
    var tls: TLSVersions

    /// The largest Content-Length that is accepted. It counts compressed bytes, of which there can be a few more than
    /// bytes of the body; the bound itself is held while the body arrives.
    private var maximumLength: Int64 { Int64(maximumBodySize + maximumBodySize / 100 + 1024) }

    /// How fast a body is read, in bytes per second.
    ///
    /// What a server can send in all before the time is up stays near the bound, since the body of a redirect, for one,
    /// is held by URLSession and seen by nobody. A body of the largest size takes no more than a quarter of the time.
    var maximumSpeed: Int {
        max(4 << 20, maximumBodySize / max(1, timeout.milliseconds) * 4000)
    }

    /// Configures the transfers that begin from now on.
    func apply() throws(TransportFailure) {
        // Behind a proxy the address connected to is the proxy's, which the person who set it chose; and it is the
        // proxy that resolves the name.
        let judgesAddresses = !policy.allowsPrivateNetwork && proxy == nil
        // Unsafe: `isRefused` is given the bytes of an address and their number, for the call. The proxy's string and the
        // roots live while the hook copies them, and so does the configuration that it reads.
        let refuses: (@convention(c) (UnsafePointer<UInt8>?, Int) -> Bool)? =
            judgesAddresses ? { address, length in unsafe Self.isRefused(address, length) } : nil
        let isConfigured = unsafe (proxy ?? "").withCString { proxy in
            unsafe (roots ?? Data()).withUnsafeBytes { bytes in
                var configuration = unsafe curl_hook_configuration(
                    timeout_milliseconds: timeout.milliseconds, maximum_body_size: maximumLength,
                    maximum_bytes_per_second: Int64(maximumSpeed), proxy: proxy,
                    roots: roots == nil ? nil : bytes.baseAddress, roots_length: bytes.count, refuses: refuses,
                    tls: hookTLS)
                return unsafe curl_hook_configure(&configuration)
            }
        }
        guard isConfigured else { throw TransportFailure(.fetcher, "there is no memory left") }
    }

    private var hookTLS: curl_hook_tls {
        switch tls {
        case .standard: curl_hook_tls_standard
        case .only13: curl_hook_tls_only_1_3
        case .only12: curl_hook_tls_only_1_2
        case .legacy: curl_hook_tls_legacy
        }
    }

    /// The socket function's question, asked for each address before it is connected to.
    private static func isRefused(_ address: UnsafePointer<UInt8>?, _ length: Int) -> Bool {
        // Unsafe: the hook passes so many bytes of a socket address, which live for the call; they are copied.
        let bytes = unsafe Array(UnsafeBufferPointer(start: address, count: length))
        guard let address = IPAddress(bytes: bytes) else { return true }
        return AddressPolicy(allowsPrivateNetwork: false).refusal(of: address) != nil
    }

    /// The address that was refused since `apply`; nil if none was.
    static var refusedAddress: IPAddress? {
        var bytes = [UInt8](repeating: 0, count: 16)
        // Unsafe: the hook writes at most the 16 bytes that the array has.
        let length = unsafe curl_hook_refused_address(&bytes)
        return IPAddress(bytes: Array(bytes.prefix(length)))
    }
}
