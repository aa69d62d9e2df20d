internal import Glibc

/// Bytes that must not stay in memory, such as a key, a passcode or an access token. They are overwritten when the last reference is gone.
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
        // Unsafe: the `count` bytes of the array are overwritten, which lives during the call.
        unsafe bytes.withUnsafeMutableBytes { unsafe Self.overwrite($0) }
        bytes = []
    }

    deinit {
        // Unsafe: the memory that `init` allocated, for the last time.
        unsafe Self.overwrite(UnsafeMutableRawBufferPointer(storage))
        unsafe storage.deallocate()
    }

    /// Overwrites memory, also if nothing reads it again.
    ///
    /// Unsafe: the memory must be live.
    @unsafe
    private static func overwrite(_ memory: UnsafeMutableRawBufferPointer) {
        guard let start = memory.baseAddress else { return }
        unsafe explicit_bzero(start, memory.count)
    }

    /// The number of bytes.
    public var count: Int { unsafe storage.count }

    /// Lends the bytes to a closure, which must not keep them.
    public func withBytes<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // Unsafe: the span does not outlive the call, during which this object keeps the memory.
        let bytes = unsafe UnsafeBufferPointer(storage)
        return try withExtendedLifetime(self) { () throws(Failure) -> Result in try body(unsafe bytes.span) }
    }
}

extension SecretBytes: Equatable {
    /// Whether the bytes are the same. How long that takes depends only on how many they are.
    public static func == (left: SecretBytes, right: SecretBytes) -> Bool {
        guard left.count == right.count else { return false }
        var difference: UInt8 = 0
        for place in 0..<left.count {
            // Unsafe: the place is within the memory of both objects, which live during the call.
            difference |= unsafe left.storage[place] ^ right.storage[place]
        }
        return withExtendedLifetime((left, right)) { difference == 0 }
    }
}

extension SecretBytes {
    /// Whether a text repeats these bytes, with large or small letters.
    package func isPart(of text: [UInt8]) -> Bool {
        let small = { (byte: UInt8) in (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }
        return withBytes { wanted in
            guard !wanted.isEmpty, text.count >= wanted.count else { return false }
            for start in 0...(text.count - wanted.count) {
                var place = 0
                while place < wanted.count, small(text[start + place]) == small(wanted[place]) { place += 1 }
                if place == wanted.count { return true }
            }
            return false
        }
    }
}
