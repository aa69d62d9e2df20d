import Foundation
import Synchronization

/// Cards that are signed for a test, with the code of TestVectors.
package struct SignedCards: Sendable, Decodable {
    /// The cards, one for each that was requested.
    package let cards: [String]
    /// For each card, the hash by which a revocation list of the method `hash-fhir` names it.
    package let bundleHash: String
    private let keys: [[String: String]]

    /// The content of a card.
    package struct Wanted: Sendable, Encodable {
        let iss: String
        let key: String
        let rid: String?
        let nbf: Int?
        let exp: Int?
        let kid: String?
        let bundle: String?

        package init(
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

    /// The script in Python that signs, and goes on as long as this process. To start it takes far longer than to sign.
    private static let signer = Mutex<Signer?>(nil)

    private struct Signer {
        private let requests: FileHandle
        private let answers: UnsafeMutablePointer<FILE>

        init() throws {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
            let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                .appendingPathComponent("sign_cards.py")
            process.arguments = ["-B", script.path]
            let (input, output) = (Pipe(), Pipe())
            process.standardInput = input
            process.standardOutput = output
            try process.run()
            requests = input.fileHandleForWriting
            answers = fdopen(dup(output.fileHandleForReading.fileDescriptor), "r")
        }

        func sign(_ wanted: [Wanted]) throws -> SignedCards {
            try requests.write(contentsOf: JSONEncoder().encode(wanted) + Data("\n".utf8))
            var (line, capacity): (UnsafeMutablePointer<CChar>?, Int) = (nil, 0)
            defer { free(line) }
            let count = getline(&line, &capacity, answers)
            guard let line, count > 0 else { throw NotSigned() }
            return try JSONDecoder().decode(SignedCards.self, from: Data(bytes: line, count: count))
        }
    }

    private struct NotSigned: Error {}

    /// Signs cards.
    package static func sign(_ wanted: [Wanted]) throws -> SignedCards {
        try signer.withLock { signer in
            let running = try signer ?? Signer()
            signer = running
            return try running.sign(wanted)
        }
    }

    /// The ID of a card's key.
    package func keyID(_ index: Int = 0) -> String { keys[index]["kid"] ?? "" }

    /// A key set with the keys of some of the cards, and with additional members in each.
    package func keySet(of indices: [Int] = [0], adding members: [String: Int] = [:]) throws -> String {
        let entries = indices.map { index in
            var entry: [String: any Sendable] = keys[index]
            for (name, value) in members { entry[name] = value }
            return entry
        }
        return String(decoding: try JSONSerialization.data(withJSONObject: ["keys": entries]), as: UTF8.self)
    }
}
