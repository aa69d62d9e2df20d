import Cryptography
import Encodings

/// COSE_Sign1 messages: the parts, compared with those that the second reader of CBOR finds.
enum COSETarget: FuzzTarget {
    static let name = "cose"

    static func run(_ bytes: [UInt8]) {
        let parts = try? COSEParts(bytes)
        let plain = plainParts(bytes)
        require((parts == nil) == (plain == nil), "the second reader finds four parts too")
        if let parts, let plain {
            require(parts.protectedBytes.elementsEqual(plain.protected), "the same protected header")
            require(parts.payload.elementsEqual(plain.payload), "the same payload")
            require(parts.signature.elementsEqual(plain.signature), "the same signature")
        }
        do throws(COSEError) {
            let message = try COSESign1(COSEParts(bytes))
            guard let plain else { return require(false, "a message has four parts") }
            require(!message.keyID.isEmpty, "a message names a key")
            let headers = [plain.protectedMap, plain.unprotectedMap]
            require(!headers.contains { find(2, in: $0) != nil }, "no header is critical")
            let algorithms = headers.compactMap { find(1, in: $0) }
            require(!algorithms.isEmpty, "a message names an algorithm")
            let number = PlainCBOR.integer(isNegative: true, UInt64(-1 - message.algorithm.coseNumber))
            require(algorithms.allSatisfy { $0 == number }, "a message names one algorithm only")
            let keyIDs = headers.compactMap { find(4, in: $0) }
            require(keyIDs.first == .bytes(message.keyID), "the protected key ID comes first")
            require(
                message.isAlgorithmUnprotected == (find(1, in: plain.protectedMap) == nil), "where the algorithm is")
            require(
                message.parts.signedBytes == structure(plain.protected, plain.payload), "what is signed is as received")
        } catch {
            require(!error.description.isEmpty, "an error has a description")
        }
    }

    private typealias Map = [(key: PlainCBOR, value: PlainCBOR)]

    private struct PlainParts {
        let protected, payload, signature: [UInt8]
        let protectedMap, unprotectedMap: Map
    }

    private static func plainParts(_ bytes: [UInt8]) -> PlainParts? {
        var item = PlainCBOR.read(bytes)
        if case .tag(61, let inside)? = item { item = inside }
        if case .tag(18, let inside)? = item { item = inside }
        guard case .array(let parts)? = item, parts.count == 4, case .bytes(let protected) = parts[0],
            case .map(let unprotected) = parts[1], case .bytes(let payload) = parts[2],
            case .bytes(let signature) = parts[3]
        else { return nil }
        var map: Map = []
        if !protected.isEmpty {
            guard case .map(let members)? = PlainCBOR.read(protected) else { return nil }
            map = members
        }
        return PlainParts(
            protected: protected, payload: payload, signature: signature, protectedMap: map, unprotectedMap: unprotected
        )
    }

    private static func find(_ label: UInt64, in map: Map) -> PlainCBOR? {
        map.first { $0.key == .integer(isNegative: false, label) }?.value
    }

    private static func structure(_ protected: [UInt8], _ payload: [UInt8]) -> [UInt8] {
        [0x84, 0x6A] + Array("Signature1".utf8) + string(protected) + [0x40] + string(payload)
    }

    /// A byte string with the shortest head.
    private static func string(_ bytes: [UInt8]) -> [UInt8] {
        let count = bytes.count
        if count < 24 { return [0x40 + UInt8(count)] + bytes }
        if count < 256 { return [0x58, UInt8(count)] + bytes }
        if count < 65_536 { return [0x59, UInt8(count / 256), UInt8(count % 256)] + bytes }
        return [0x5A, 0, UInt8(count / 65_536), UInt8(count / 256 % 256), UInt8(count % 256)] + bytes
    }
}
