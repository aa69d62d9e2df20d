extension Int {
    /// This number of bytes in words: `16 MiB`, or `1000 bytes` if it is not a number of whole MiB.
    package var sizeInWords: String {
        self >= 1 << 20 && self % (1 << 20) == 0 ? "\(self >> 20) MiB" : self == 1 ? "1 byte" : "\(self) bytes"
    }
}
