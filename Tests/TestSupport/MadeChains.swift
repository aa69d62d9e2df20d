package import Cryptography
import Encodings
import Foundation

/// The certificates and signatures that make_chains.py makes, once in each run.
package enum MadeChains {
    /// A key with certificates, and the anchors to validate it with.
    package struct Chain {
        package let jwk: JWK
        /// The anchors.
        package let pem: [UInt8]
        package let issuer: String

        package func validate(at moment: Int64 = MadeChains.moment) throws -> CertificatePath {
            try CertificateAnchors(pem: pem).validate(jwk, for: issuer, at: moment)
        }

        package func problems(at moment: Int64 = MadeChains.moment) -> [CertificateError.Reason] {
            jwk.certificateProblems(for: issuer, at: moment).map(\.reason)
        }
    }

    package struct NotMade: Error, CustomStringConvertible {
        package let description: String
    }

    /// 2026-06-01T00:00:00Z, a moment at which the valid chains are valid.
    package static let moment: Int64 = 1_780_272_000

    private static let made = Result { try make() }

    package static func chain(_ name: String) throws -> Chain {
        let made = try made.get()
        guard let chain = made["chains"]?[name], let x5c = chain["x5c"], let members = made["jwk"]?.members else {
            throw NotMade(description: "there is no chain \(name)")
        }
        let text = { (value: JSONValue) in String(decoding: value.rawBytes, as: UTF8.self) }
        let key = members.map { #""\#($0.name)":\#(text($0.value)),"# }.joined()
        return Chain(
            jwk: try Samples.jwk(#"{\#(key)"x5c":\#(text(x5c))}"#), pem: chain["anchors"]?.stringBytes ?? [],
            issuer: (chain["issuer"]?.string ?? made["issuer"]?.string ?? "").description)
    }

    /// The text of a file for the tests of signatures.
    package static func signed(_ name: String) throws -> [UInt8] {
        guard let text = try made.get()["signed"]?[name]?.stringBytes else {
            throw NotMade(description: "there is no \(name)")
        }
        return text
    }

    private static func make() throws -> JSONValue {
        let process = Process()
        // Debian's own Python, which has the package python3-cryptography.
        process.executableURL = URL(filePath: "/usr/bin/python3")
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "make_chains.py")
        process.arguments = ["-B", script.path]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let answer = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw NotMade(description: "make_chains.py failed; it needs python3-cryptography")
        }
        return try JSONDocument.parse(Array(answer))
    }
}
