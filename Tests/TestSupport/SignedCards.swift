import Foundation

/// Cards signed for a test, by the building blocks of TestVectors.
public struct SignedCards: Sendable, Decodable {
    /// A card for each one that was asked for.
    public let cards: [String]
    /// What a revocation list of the method `hash-fhir` names each of them by.
    public let bundleHash: String
    private let keys: [[String: String]]

    /// What a card is to say.
    public struct Wanted: Sendable, Encodable {
        let iss: String
        let key: String
        let rid: String?
        let nbf: Int?
        let exp: Int?
        let kid: String?
        let bundle: String?

        public init(
            issuer: String, key: String = "issuer-a", rid: String? = nil, nbf: Int? = nil, exp: Int? = nil,
            kid: String? = nil, bundle: String? = nil
        ) {
            iss = issuer
            self.key = key
            self.rid = rid
            self.nbf = nbf
            self.exp = exp
            self.kid = kid
            self.bundle = bundle
        }
    }

    /// Has cards signed, by a script in Python.
    public static func sign(_ wanted: [Wanted]) throws -> SignedCards {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("sign_cards.py")
        process.arguments = ["-B", script.path]
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: JSONEncoder().encode(wanted))
        try input.fileHandleForWriting.close()
        let answer = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return try JSONDecoder().decode(SignedCards.self, from: answer)
    }

    /// The id of a card's key.
    public func keyID(_ index: Int = 0) -> String { keys[index]["kid"] ?? "" }

    /// A key set of the keys of some of the cards, with further members for each.
    public func keySet(of indices: [Int] = [0], adding members: [String: Int] = [:]) throws -> String {
        let entries = indices.map { index in
            var entry: [String: any Sendable] = keys[index]
            for (name, value) in members { entry[name] = value }
            return entry
        }
        return String(decoding: try JSONSerialization.data(withJSONObject: ["keys": entries]), as: UTF8.self)
    }
}
