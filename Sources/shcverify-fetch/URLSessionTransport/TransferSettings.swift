import CURLHook
import Foundation
import HTTPSFetch
import Processes

/// The settings that libcurl gets before URLSession begins a transfer.
struct TransferSettings {
    /// How long the transfer may take.
    var timeout: Duration
    /// The largest body that is accepted, in bytes.
    var maximumBodySize: Int
    /// The proxy, or nil for none.
    var proxy: String?
    /// PEM certificates that replace all TLS roots. Nil for libcurl's own roots.
    var roots: Data?
    /// Which addresses may be contacted.
    var policy: AddressPolicy
    /// The versions of TLS that are offered to the server. A proxy is offered the standard ones.
    var tls: TLSVersions

    /// The largest Content-Length that is accepted. It counts compressed bytes, and compression can make a body
    /// slightly larger. The limit on the body is enforced separately, as the body arrives.
    private var maximumLength: Int64 { Int64(maximumBodySize + maximumBodySize / 100 + 1024) }

    /// The speed limit for reading, in bytes per second.
    ///
    /// It limits the total that a server can send before the time is up. URLSession keeps the body of a redirect, for
    /// example, without showing it to anyone. At this speed, the largest body takes at most a quarter of the time.
    var maximumSpeed: Int {
        max(4 << 20, maximumBodySize / max(1, timeout.milliseconds) * 4000)
    }

    /// Applies the settings to all transfers that begin from now on.
    func apply() throws(TransportFailure) {
        // With a proxy, the connection goes to the proxy's address, which the user chose, and the proxy resolves the
        // name.
        let judgesAddresses = !policy.allowsPrivateNetwork && proxy == nil
        // Unsafe: `isRefused` gets the bytes of an address and their number, which are valid during the call. The
        // proxy, the roots and the configuration live while the hook copies them.
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
        guard isConfigured else { throw TransportFailure(.fetcher, "out of memory") }
    }

    private var hookTLS: curl_hook_tls {
        switch tls {
        case .standard: curl_hook_tls_standard
        case .only13: curl_hook_tls_only_1_3
        case .only12: curl_hook_tls_only_1_2
        case .legacy: curl_hook_tls_legacy
        case .staticRSA: curl_hook_tls_static_rsa
        case .ffdhe: curl_hook_tls_ffdhe
        case .strongFFDHE: curl_hook_tls_strong_ffdhe
        }
    }

    /// Called by libcurl's socket function for each address, before a connection to it.
    private static func isRefused(_ address: UnsafePointer<UInt8>?, _ length: Int) -> Bool {
        // Unsafe: the hook passes `length` bytes of an address, which are valid during the call. They are copied.
        let bytes = unsafe Array(UnsafeBufferPointer(start: address, count: length))
        guard let address = IPAddress(bytes: bytes) else { return true }
        return AddressPolicy(allowsPrivateNetwork: false).refusal(of: address) != nil
    }

    /// The address that was refused since `apply`, or nil if none was.
    static var refusedAddress: IPAddress? {
        var bytes = [UInt8](repeating: 0, count: 16)
        // Unsafe: the hook writes at most 16 bytes, the length of the array.
        let length = unsafe curl_hook_refused_address(&bytes)
        return IPAddress(bytes: Array(bytes.prefix(length)))
    }
}
