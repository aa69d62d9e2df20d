package import StrictJSON

// What the reports write again and again.
extension JSONWriter {
    /// A whole document for people and programs, with the version of its form first.
    package static func document(to destination: Destination, members: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter(layout: .indented, escapesUnprintable: destination.isTerminal)
        writer.object { writer in
            writer.member("schemaVersion", 1)
            members(&writer)
        }
        return writer.bytes + [UInt8(ascii: "\n")]
    }

    /// Writes a member whose value is an object; null if there is nothing to write.
    package mutating func object<Value>(
        _ name: StaticString, _ value: Value?, members: (Value, inout JSONWriter) -> Void
    ) {
        self.name(name)
        guard let value else { return self.value(nil as String?) }
        object { members(value, &$0) }
    }

    /// Writes a member whose value is an array of objects; null if there is none.
    package mutating func objects<Element>(
        _ name: StaticString, _ elements: [Element]?, members: (Element, inout JSONWriter) -> Void
    ) {
        self.name(name)
        guard let elements else { return value(nil as String?) }
        array { writer in
            for element in elements { writer.object { members(element, &$0) } }
        }
    }

    /// Writes a member whose value is an array of texts.
    package mutating func member(_ name: StaticString, _ texts: [String]) {
        self.name(name)
        array { writer in for text in texts { writer.value(text) } }
    }

    /// Writes a member whose value is an array of texts.
    package mutating func member(_ name: StaticString, _ texts: [UTF8Text]) {
        self.name(name)
        array { writer in for text in texts { writer.value(text) } }
    }
}
