import Credentials
import Cryptography
import Encodings
import SMARTHealthCards

/// A compact JWS: its parts, and the card in it as far as it can be read.
enum JWSTarget: FuzzTarget {
    static let name = "jws"

    static func run(_ bytes: [UInt8]) {
        if let jws = try? CompactJWS(bytes) {
            let parts = [jws.headerBytes, jws.payload, jws.signature]
            let written = parts.map { Base64URL.encode($0) }.joined(separator: ".")
            require(Array(written.utf8) == bytes, "a JWS has only one text")
            let signingInput = written.utf8.prefix(written.utf8.count - Base64URL.encode(jws.signature).utf8.count - 1)
            require(jws.signingInput.elementsEqual(signingInput), "the signing input is the text without the signature")
            if let signature = try? ES256Signature(jws.signature) {
                require(signature.bytes == jws.signature, "a signature keeps its bytes")
            }
            _ = try? JOSEHeader(jws.headerBytes)
        }
        guard let verifier = try? CardVerifier(policy: FixedPolicy.keysGiven) else { return }
        let card = PresentedCredential(jws: bytes, source: "fuzz")
        let inspection = verifier.inspect(card)
        let examined = verifier.examine(card)
        FirstDefectOracle.check(card, inspection.failure)
        guard let decoded = examined.decoded else { return }
        require(decoded.jws.text == bytes, "a card keeps its text")
        require(inspection.signatureLength == decoded.jws.signature.count, "inspect finds the same signature")
    }
}
