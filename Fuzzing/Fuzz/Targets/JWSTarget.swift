import Deflate
import JOSE
import SMARTHealthCards

/// A compact JWS, taken apart as far as it goes.
enum JWSTarget: FuzzTarget {
    static let name = "jws"

    static func run(_ bytes: [UInt8]) {
        if let jws = try? CompactJWS(bytes) {
            let parts = [jws.headerBytes, jws.payload, jws.signature]
            let written = parts.map { Base64URL.encode($0) }.joined(separator: ".")
            require(Array(written.utf8) == bytes, "there is one text for a JWS")
            let signingInput = written.utf8.prefix(written.utf8.count - Base64URL.encode(jws.signature).utf8.count - 1)
            require(jws.signingInput.elementsEqual(signingInput), "what is signed is all but the signature")
            if let signature = try? ES256Signature(jws.signature) {
                require(signature.bytes == jws.signature, "a signature is its bytes")
            }
            _ = try? JOSEHeader(jws.headerBytes)
        }
        guard let inflater = try? Inflater() else { return }
        let examined = ExaminedCard(PresentedCard(jws: bytes, source: "fuzz"), inflater: inflater)
        _ = CardInspection(examined, inflater: inflater)
        if let decoded = examined.decoded { require(decoded.jws.text == bytes, "a card keeps the text it came as") }
    }
}
