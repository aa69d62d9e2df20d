import Encodings

extension String {
    /// Whether the text can be printed: it is one line, not empty, not too long, and has no control characters for a terminal.
    package var isFitToPrint: Bool {
        !isEmpty && unicodeScalars.count < 3000 && !unicodeScalars.contains(where: \.isUnprintable)
    }
}
