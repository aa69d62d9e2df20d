import Credentials
package import Encodings

// What several reports write.
extension JSONWriter {
    /// A whole document for people and programs, beginning with the version of its form.
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

    /// Writes a member that says what went wrong: a code and a message; null if nothing went wrong.
    mutating func member(
        _ name: StaticString, _ failure: VerificationFailure?, message: (VerificationFailure) -> String
    ) {
        object(name, failure) { failure, writer in
            writer.member("code", failure.code.rawValue)
            writer.member("message", message(failure))
        }
    }

    /// Writes a member whose value is an array of warnings.
    mutating func member(_ name: StaticString, _ warnings: [CredentialWarning]) {
        objects(name, warnings) { warning, writer in
            writer.member("code", warning.code.rawValue)
            writer.member("message", warning.message)
        }
    }

    /// Writes an object that is a Coding of FHIR.
    mutating func coding(_ system: String, _ code: String) {
        object { writer in
            writer.member("system", system)
            writer.member("code", code)
        }
    }

    /// Writes a member `identifier` that is an Identifier of FHIR. The system is left out if there is none.
    mutating func identifier(_ system: String?, _ value: UTF8Text?) {
        object("identifier") { writer in
            if let system { writer.member("system", system) }
            writer.member("value", value)
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

extension JSONValue {
    /// The value for people, with each member or element on a line. No character in it can control a terminal.
    var indentedText: String {
        var writer = JSONWriter(layout: .indented, escapesUnprintable: true)
        writer.value(self)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

/// A card file (`.smart-health-card`).
package enum CardFileJSON {
    /// The file with these cards, each of which is a JWS.
    package static func text(_ cards: [[UInt8]]) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { $0.member("verifiableCredential", cards.map { String(decoding: $0, as: UTF8.self) }) }
        return writer.bytes + [UInt8(ascii: "\n")]
    }
}
