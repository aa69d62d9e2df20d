package import Credentials
package import FHIR

/// Why a list of codes must not replace the installed one of the same kind.
package enum CodeListObjection: Sendable {
    /// It has a date that this machine's clock has not reached.
    case future(date: String)
    /// It has a date before that of the installed list.
    case older(date: String, than: CodeArchive.List)
    /// It has fewer than half as many codes as the installed list.
    case fewerCodes(count: Int, than: CodeArchive.List)

    /// - Parameters:
    ///   - list: the new list.
    ///   - archive: the installed lists.
    ///   - now: the time of this machine's clock.
    /// - Returns: nil if the list may be installed.
    package init?(to list: CodeList, in archive: CodeArchive, now: NumericDate) {
        // The clocks of two machines may be a day apart. A list from the future must not block all later ones.
        let latest = NumericDate(sinceEpoch: now.sinceEpoch + .seconds(2 * 86_400)).description.prefix(10)
        if let date = list.date, latest.utf8.lexicographicallyPrecedes(date.utf8) {
            self = .future(date: date)
            return
        }
        guard let installed = archive.lists.first(where: { $0.isEdition(of: list) }) else { return nil }
        // A list without a date has that of its installation.
        if let date = list.date, installed.date.utf8.lexicographicallyPrecedes(latest.utf8),
            date.utf8.lexicographicallyPrecedes(installed.date.utf8)
        {
            self = .older(date: date, than: installed)
            return
        }
        let count = Set(list.entries.map(\.code.canonical)).count
        guard count * 2 < installed.count else { return nil }
        self = .fewerCodes(count: count, than: installed)
    }
}
