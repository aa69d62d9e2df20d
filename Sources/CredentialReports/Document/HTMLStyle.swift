import CData
import Cryptography
import Encodings

/// The look of all pages.
///
/// Every colour of text has a contrast of at least 4.5 to 1 with its background (WCAG 2.2, 1.4.3), which
/// `make pages-check` measures.
enum HTMLStyle {
    /// The style sheet, without the end of its last line. On a narrow screen, or with many columns, each record of a table is a
    /// block of lines. Print is always dark on white.
    // Unsafe: the file is constant.
    static let sheet = Array(unsafe EmbeddedFile(data_style).dropLast())

    /// The content-security policy of every page: its own style sheet, and nothing else.
    static let policy =
        "default-src 'none'; style-src 'sha256-\(Base64.encode(SHA256.digest(sheet)))'; base-uri 'none'; form-action 'none'"
}
