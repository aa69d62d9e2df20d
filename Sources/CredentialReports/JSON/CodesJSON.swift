import Encodings
package import FHIR

/// The lists of codes in use, or codes that were looked for, as one JSON document.
package enum CodesJSON {
    /// The lists.
    package static func text(_ lists: [KnownCodeList], to destination: Destination) -> [UInt8] {
        JSONWriter.document(to: destination) { writer in
            writer.objects("lists", lists) { list, writer in
                writer.member("name", list.name)
                writer.member("date", list.date)
                writer.member("dated", list.isDated)
                writer.member("source", list.source.rawValue)
                writer.member("count", list.count)
                writer.member("systems", list.systems)
                writer.member("origin", list.origin)
            }
        }
    }

    /// The codes that were found.
    package static func text(_ found: [FoundCode], to destination: Destination) -> [UInt8] {
        JSONWriter.document(to: destination) { writer in
            writer.objects("codes", found) { code, writer in
                writer.member("system", code.code.system)
                writer.member("code", code.code.code)
                writer.member("display", code.name?.display)
                writer.member("displaySource", code.name?.source.rawValue)
                writer.member("group", code.group)
                writer.member("covid19", code.isOfCOVID19)
                writer.member("tradeNames", code.tradeNames)
                writer.write(code.lists, as: "lists")
            }
        }
    }
}

extension JSONWriter {
    /// Writes lists of codes, so that an archive can tell what was known.
    mutating func write(_ lists: [KnownCodeList], as name: StaticString) {
        objects(name, lists) { list, writer in
            writer.member("name", list.name)
            writer.member("date", list.date)
            writer.member("source", list.source.rawValue)
        }
    }
}
