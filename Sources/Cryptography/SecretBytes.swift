internal import COpenSSL

/// Bytes that must not stay in memory, such as a key or a passcode. They are overwritten when the last reference is gone.
///
/// The bytes have no description, so they cannot be printed by mistake. Copies that a caller makes are the caller's.
@safe
public final class SecretBytes: @unchecked Sendable {
    // Sendable: the bytes never change between `init` and `deinit`.
    //
    // Safe: allocated in `init`, freed in `deinit`, and read only within `count` bytes.
    private let storage: UnsafeMutableBufferPointer<UInt8>

    /// Takes over bytes, and overwrites the array that held them if nobody else has a reference to it.
    public init(_ bytes: inout [UInt8]) {
        // Unsafe: the new memory is filled with as many bytes as it has room for.
        unsafe storage = .allocate(capacity: bytes.count)
        _ = unsafe storage.initialize(from: bytes)
        // Unsafe: OpenSSL overwrites the `count` bytes of the array, which lives during the call.
        unsafe bytes.withUnsafeMutableBytes { unsafe OPENSSL_cleanse($0.baseAddress, $0.count) }
        bytes = []
    }

    deinit {
        // Unsafe: the memory that `init` allocated, for the last time.
        unsafe OPENSSL_cleanse(storage.baseAddress, storage.count)
        unsafe storage.deallocate()
    }

    /// The number of bytes.
    public var count: Int { unsafe storage.count }

    /// Lends the bytes to a closure, which must not keep them.
    package func withBytes<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // Unsafe: the span does not outlive the call, during which this object keeps the memory.
        let bytes = unsafe UnsafeBufferPointer(storage)
        return try withExtendedLifetime(self) { () throws(Failure) -> Result in try body(unsafe bytes.span) }
    }
}
