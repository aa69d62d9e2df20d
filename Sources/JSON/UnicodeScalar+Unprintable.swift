extension Unicode.Scalar {
    /// Whether the character could steer a terminal or hide or reorder what stands beside it: controls, bidirectional
    /// and other format characters, line separators, and what has no meaning. The joiners that some scripts
    /// need between letters (U+200C, U+200D) are harmless.
    package var isUnprintable: Bool {
        if value < 0x7F { return value < 0x20 }
        switch self {
        case "\u{200C}", "\u{200D}": return false
        default: break
        }
        switch properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: return true
        default: return false
        }
    }
}
