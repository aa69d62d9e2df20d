import Foundation

/// Cards that are signed for a test, with the code of TestVectors.
public struct SignedCards: Sendable, Decodable {
    /// The cards, one for each that was requested.
    public let cards: [String]
    /// For each card, the hash by which a revocation list of the method `hash-fhir` names it.
    public let bundleHash: String
    private let keys: [[String: String]]

    /// The content of a card.
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

    /// Signs cards with a script in Python.
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

    /// The ID of a card's key.
    public func keyID(_ index: Int = 0) -> String { keys[index]["kid"] ?? "" }

    /// A key set with the keys of some of the cards, and with additional members in each.
    public func keySet(of indices: [Int] = [0], adding members: [String: Int] = [:]) throws -> String {
        let entries = indices.map { index in
            var entry: [String: any Sendable] = keys[index]
            for (name, value) in members { entry[name] = value }
            return entry
        }
        return String(decoding: try JSONSerialization.data(withJSONObject: ["keys": entries]), as: UTF8.self)
    }
}
