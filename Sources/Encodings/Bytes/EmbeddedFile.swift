/// A file of data that is part of the program. It is read where the linker has put it: nothing is copied or prepared at the start.
///
/// `CData` has the files. An accessor is declared beside the code that reads the file: `unsafe EmbeddedFile(data_guide_codes)`.
@safe
package struct EmbeddedFile: Sendable {
    // Unsafe: the bytes are constant, and live as long as the program.
    private nonisolated(unsafe) let start: UnsafePointer<UInt8>
    private let size: Int

    /// - Parameter file: a function of `CData`, which returns the bytes and sets their number.
    @unsafe
    package init(_ file: (UnsafeMutablePointer<Int>) -> UnsafePointer<UInt8>) {
        var size = 0
        unsafe start = unsafe file(&size)
        self.size = size
    }

    /// Lends the bytes to a closure.
    package func withBytes<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // Unsafe: the bytes outlive the call.
        let bytes = unsafe UnsafeBufferPointer(start: start, count: size)
        return try body(unsafe bytes.span)
    }
}

extension EmbeddedFile: RandomAccessCollection {
    package var startIndex: Int { 0 }
    package var endIndex: Int { size }

    package subscript(place: Int) -> UInt8 {
        precondition(place >= 0 && place < size)
        // Unsafe: the place has been checked.
        return unsafe start[place]
    }

    package func withContiguousStorageIfAvailable<Result>(
        _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
    ) rethrows -> Result? {
        // Unsafe: the bytes outlive the call.
        try unsafe body(UnsafeBufferPointer(start: start, count: size))
    }
}
