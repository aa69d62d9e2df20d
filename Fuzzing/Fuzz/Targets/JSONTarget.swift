import Encodings
import Foundation

/// The parser and the writer, compared with Foundation's parser.
enum JSONTarget: FuzzTarget {
    static let name = "json"

    static func run(_ bytes: [UInt8]) {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONDocument.parse(bytes)
        } catch {
            require((0...bytes.count).contains(error.offset), "the place of an error is within the text")
            require(!error.description.isEmpty, "an error has a description")
            return
        }
        let tree = JSONTree(value)
        for layout in [JSONWriter.Layout.compact, .indented] {
            for escapes in [false, true] {
                var writer = JSONWriter(layout: layout, escapesUnprintable: escapes)
                writer.value(value)
                require(parsed(writer.bytes).map { JSONTree($0) } == tree, "the written text means the same")
                let text = String(decoding: writer.bytes, as: UTF8.self).unicodeScalars
                let isInert = !text.contains { $0.isUnprintable && $0 != "\n" }
                require(!escapes || isInert, "an escaped text is inert")
            }
        }
        let canonical = value.canonical
        require(parsed(canonical)?.canonical == canonical, "the canonical form is its own canonical form")
        guard FoundationReading.isComparable(value) else { return }
        let read = try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
        require(FoundationReading.isSame(read, value), "Foundation reads the same")
    }

    private static func parsed(_ bytes: [UInt8]) -> JSONValue? { try? JSONDocument.parse(bytes) }
}
