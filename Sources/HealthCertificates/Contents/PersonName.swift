import Encodings
@_spi(_Unicode) import Swift

/// The name of a person in a certificate.
enum PersonName {
    /// The given name and the family name in Unicode's normal form C; if both are missing, the transliterated ones, with spaces
    /// for `<`.
    static func text(_ names: CBORValue) -> UTF8Text? {
        let own = [names["gn"]?.plainText, names["fn"]?.plainText].compactMap(\.self)
        return own.isEmpty ? transliterated(names) : UTF8Text(own.map { normalized($0) }.joined(separator: " "))
    }

    /// The transliterated given name and family name, with spaces for `<`; nil if the certificate has neither.
    static func transliterated(_ names: CBORValue) -> UTF8Text? {
        let latin = [names["gnt"]?.plainText, names["fnt"]?.plainText].compactMap(\.self)
        guard latin.contains(where: { $0.utf8.contains { $0 != UInt8(ascii: "<") } }) else { return nil }
        return UTF8Text(
            decoding: latin.map { Array($0.utf8) }.joined(separator: "<".utf8).map {
                $0 == UInt8(ascii: "<") ? 0x20 : $0
            })
    }

    /// A transliterated name with spaces for `<`; nil if it has no letters.
    static func spaced(_ name: CBORValue) -> UTF8Text? {
        guard let name = name.plainText, name.utf8.contains(where: { $0 != UInt8(ascii: "<") }) else { return nil }
        return UTF8Text(decoding: name.utf8.map { $0 == UInt8(ascii: "<") ? 0x20 : $0 })
    }

    /// The longest name that is normalized, in bytes. Normalizing takes quadratic time for some texts.
    private static let maximumLength = 1024

    /// A name in Unicode's normal form C.
    static func normalized(_ text: UTF8Text) -> String {
        guard text.utf8.count <= maximumLength else { return text.description }
        return String(String.UnicodeScalarView(text.description._nfc))
    }
}
