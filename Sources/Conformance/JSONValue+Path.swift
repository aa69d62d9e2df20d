import JSON

extension JSONValue {
    /// The path from this value down to one that stands in it, such as `.vc.type[0]`; empty for the value itself.
    func path(to target: JSONValue) -> String {
        let wanted = target.byteRange
        var path = ""
        var here = self
        descent: while here.byteRange != wanted {
            if let members = here.members {
                for (name, value) in members where value.byteRange.contains(wanted.lowerBound) {
                    path += Self.step(name)
                    here = value
                    continue descent
                }
            } else if let elements = here.elements {
                for (index, value) in elements.enumerated() where value.byteRange.contains(wanted.lowerBound) {
                    path += "[\(index)]"
                    here = value
                    continue descent
                }
            }
            break
        }
        return path
    }

    /// One step of a path: `.name`, or `["a name"]` for one that is no identifier.
    static func step(_ name: UTF8Text) -> String {
        let isPlain =
            !name.isEmpty && name.utf8.count <= 64
            && name.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: "$"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
        if isPlain { return ".\(name)" }
        let isCut = name.unicodeScalars.count > 64
        let shown = String(String.UnicodeScalarView(name.unicodeScalars.prefix(64)))
        return "[\(JSONWriter.quoted(shown))\(isCut ? "…" : "")]"
    }
}
