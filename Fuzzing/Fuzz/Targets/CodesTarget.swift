import Encodings
import FHIR

/// Lists of codes, and the file of those that are installed.
enum CodesTarget: FuzzTarget {
    static let name = "codes"

    static func run(_ bytes: [UInt8]) {
        do throws(Malformed) {
            check(try CodeList(bytes))
        } catch {
            require(!"\(error)".isEmpty, "an error has a description")
        }
        let outline = try? CodeArchive.outline(ofBeginning: bytes, size: bytes.count)
        for name in CodeArchive.names(inUnusable: bytes) {
            require(name.utf8.count < bytes.count, "a name is of the file")
        }
        do throws(Malformed) {
            let archive = try CodeArchive(bytes)
            require(outline?.map(\.id) == archive.lists.map(\.id), "the outline has the same lists")
            require((try? CodeArchive(archive.bytes)) != nil, "an archive is read again")
            require(archive.newestFirst.count == archive.lists.count, "each list is looked into once")
            require(
                CodeArchive().joined(with: archive).joined(with: archive).lists.count <= archive.lists.count,
                "an archive adds nothing to itself")
        } catch {
            require(!error.description.isEmpty, "an error has a description")
        }
    }

    private static func check(_ list: CodeList) {
        require(list.entries.count <= CodeList.maximumCount, "a list is within the limit")
        var archive = CodeArchive()
        guard archive.install(list, from: "fuzz", on: "2026-01-01") else { return }
        guard let again = try? CodeArchive(archive.bytes) else { return require(false, "an archive is read again") }
        require(again.bytes == archive.bytes, "an archive is the same after it was read")
        require(again.lists.map(\.content) == archive.lists.map(\.content), "all that a list says is kept")
        var names = CodeNames.builtIn
        names.add(again)
        // Whether a list is given or installed makes no difference to what it says of a code.
        var given = CodeNames.builtIn
        given.add(list)
        for entry in list.entries.prefix(64) {
            require(names.isKnown(entry.code) == given.isKnown(entry.code), "a code is known as it is when given")
            require(names.isTold(entry.code) == given.isTold(entry.code), "a code is told as it is when given")
            for disease in TargetDisease.allCases {
                require(
                    names.isAbout(disease, entry.code) == given.isAbout(disease, entry.code),
                    "a code is about the same as when given")
            }
            if entry.isOfCOVID19 {
                require(names.isCOVID19(entry.code), "an installed list says what is about COVID-19")
            }
            _ = names.group(of: entry.code)
            _ = names.tradeNames(of: entry.code)
            guard list.form != .euValueSet else { continue }
            require(names.isKnown(entry.code), "a code of an installed list is known")
            if entry.group != nil || entry.isOfCOVID19 {
                require(names.isTold(entry.code), "a list with a group tells what a code is about")
            }
        }
    }
}
