package import Encodings

/// A file of cases in the JSON schema of Project Wycheproof: one of its own, or one of TestVectors/edges, which are ours.
package struct WycheproofFile {
    /// The cases that have a key in common.
    package struct Group {
        /// What they have in common.
        package let value: JSONValue
        /// The cases, in their order.
        package let cases: [Case]
    }

    /// The groups, in their order.
    package let groups: [Group]

    /// The cases of all groups.
    package var cases: [Case] { groups.flatMap(\.cases) }

    /// Reads a file of Project Wycheproof.
    ///
    /// - Parameter path: its path in the folder of the conformance data.
    package init(shared path: String) throws { try self.init(SharedData.bytes(path)) }

    /// Reads a file of our own.
    ///
    /// - Parameter name: its name in TestVectors/edges, without the suffix.
    package init(edges name: String) throws { try self.init(VectorFiles.bytes("edges/\(name).json")) }

    private init(_ bytes: [UInt8]) throws {
        let file = try JSONDocument.parse(bytes)
        guard let groups = file["testGroups"]?.elements else { throw WycheproofError("the file has no groups") }
        self.groups = try groups.map { group in
            guard let tests = group["tests"]?.elements else { throw WycheproofError("a group has no cases") }
            return Group(value: group, cases: tests.map { Case(group: group, value: $0) })
        }
        guard file["numberOfTests"]?.number?.integer == Int64(cases.count) else {
            throw WycheproofError("the file has \(cases.count) cases, and says that it has another number")
        }
    }

    /// Something that is judged.
    package struct Case: CustomStringConvertible {
        /// What the cases of the group have in common.
        package let group: JSONValue
        /// The members of the case.
        package let value: JSONValue

        /// The number and the comment.
        package var description: String {
            "case \(value["tcId"]?.number?.digits ?? "?"): \(value["comment"]?.string?.description ?? "")"
        }

        /// The bytes that a member writes in hexadecimal digits.
        package func bytes(_ name: String) throws -> [UInt8] { try hexadecimal(value[name], of: "\(self), \(name)") }

        /// The text of a member; empty if there is none.
        package func text(_ name: String) -> [UInt8] { value[name]?.stringBytes ?? [] }

        /// Whether the case has a flag.
        package func has(_ flag: String) -> Bool {
            value["flags"]?.elements?.contains { $0.isString(flag) } ?? false
        }

        /// The size in bits that the group states.
        package func size(_ name: String) -> Int64? { group[name]?.number?.integer }

        /// Whether our code must accept it.
        ///
        /// - Parameter rulings: what we decide. They never make us accept what is invalid.
        package func isToBeAccepted(_ rulings: [Ruling]) throws -> Bool {
            let result = value["result"]?.string?.description ?? ""
            if result == "invalid" { return false }
            if let ruling = rulings.first(where: { $0.applies(self) }) { return ruling.accepts }
            guard result == "valid" else { throw WycheproofError("\(self): no ruling decides about \(result)") }
            return true
        }
    }

    /// What we decide about cases that are acceptable, or that are valid and not supported here.
    package struct Ruling: Sendable {
        let accepts: Bool
        let why: String
        let applies: @Sendable (Case) -> Bool

        /// A ruling about valid cases of a kind that this program does not support.
        package static func refuses(_ why: String, if applies: @escaping @Sendable (Case) -> Bool) -> Ruling {
            Ruling(accepts: false, why: why, applies: applies)
        }

        /// A ruling about cases that are acceptable and have a flag.
        package static func accepts(_ flag: String, _ why: String) -> Ruling {
            Ruling(accepts: true, why: why) { $0.has(flag) }
        }
    }
}

/// The bytes that a JSON string writes in hexadecimal digits.
package func hexadecimal(_ value: JSONValue?, of name: String) throws -> [UInt8] {
    guard let digits = value?.stringBytes, digits.count.isMultiple(of: 2) else {
        throw WycheproofError("\(name): not in hexadecimal digits")
    }
    return try stride(from: 0, to: digits.count, by: 2).map {
        guard let byte = UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16) else {
            throw WycheproofError("\(name): not in hexadecimal digits")
        }
        return byte
    }
}

/// A file that is not as it has to be, or a case about which nothing is decided.
package struct WycheproofError: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}
