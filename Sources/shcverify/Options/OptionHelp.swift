import ArgumentParser
import CData
import Encodings

extension ArgumentHelp {
    private static let texts = SortedRows(unsafe EmbeddedFile(data_option_help))

    /// The help of an option, from the page of all.
    ///
    /// - Parameter key: its long name; with a word behind a dot if other commands have another option of this name.
    static func of(_ key: String) -> ArgumentHelp {
        let fields = (texts.row(of: key.utf8.span) ?? []).split(
            separator: texts.separator, omittingEmptySubsequences: false)
        let words = fields.map { String(decoding: $0, as: UTF8.self) }
        return ArgumentHelp(
            words.last ?? "", valueName: words.first.flatMap { $0.isEmpty ? nil : $0 })
    }
}
