import FHIR
import JSON

/// Lists of codes, and the file of those that are installed.
enum CodesTarget: FuzzTarget {
    static let name = "codes"

    static func run(_ bytes: [UInt8]) {
        do throws(CodeListError) {
            check(try CodeList(bytes))
        } catch {
            require(!"\(error)".isEmpty, "an error has a description")
        }
        if let archive = try? CodeArchive(bytes) {
            require((try? CodeArchive(archive.bytes)) != nil, "an archive is read again")
        }
    }

    private static func check(_ list: CodeList) {
        require(list.entries.count <= CodeList.maximumCount, "a list is within the limit")
        var archive = CodeArchive()
        guard archive.install(list, from: "fuzz", on: "2026-01-01") else { return }
        guard let again = try? CodeArchive(archive.bytes) else { return require(false, "an archive is read again") }
        require(again.bytes == archive.bytes, "an archive is the same after it was read")
        var names = CodeNames.builtIn
        names.add(again)
        for entry in list.entries.prefix(64) where list.form != .euValueSet {
            require(names.isKnown(entry.code), "a code of an installed list is known")
            if entry.isOfCOVID19 {
                require(names.isCOVID19(entry.code), "an installed list says what is about COVID-19")
            }
            _ = names.group(of: entry.code)
            _ = names.tradeNames(of: entry.code)
        }
    }
}
