import Credentials
import Encodings
import SMARTHealthCards

/// Revocation lists.
enum RevocationListTarget: FuzzTarget {
    static let name = "revocation"

    static func run(_ bytes: [UInt8]) {
        let list: RevocationList
        do throws(Malformed) {
            list = try RevocationList(bytes)
        } catch {
            return require(!"\(error)".isEmpty, "an error has a description")
        }
        let epoch = NumericDate(sinceEpoch: .zero)
        let late = NumericDate(sinceEpoch: .seconds(253_402_300_799))
        guard let entries = list.json["rids"]?.elements else { return }
        for entry in entries.prefix(64) {
            guard let text = entry.string else { continue }
            let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            guard let name = parts.first.map({ UTF8Text(decoding: $0) }) else { continue }
            let isListed = list.lists(name, issued: epoch)
            require(isListed || !list.lists(name, issued: late), "if a later card is revoked, so is an earlier one")
            guard list.defect == nil, parts.count == 1 else { continue }
            require(isListed && list.lists(name, issued: late), "an entry without a time revokes cards of all times")
        }
    }
}
