import Encodings

/// Base45, compared with a decoder that calculates each group by itself.
enum Base45Target: FuzzTarget {
    static let name = "base45"
    private static let alphabet = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:".utf8)

    static func run(_ bytes: [UInt8]) {
        let encoded = Base45.encode(bytes)
        require((try? Base45.decode(encoded.utf8)) == bytes, "encoded bytes decode to the same bytes")
        require(plain(Array(encoded.utf8)) == bytes, "the other decoder reads the same bytes")

        let expected = plain(bytes)
        do throws(Base45Error) {
            let decoded = try Base45.decode(bytes)
            require(decoded == expected, "the other decoder reads the same bytes")
            require(Array(Base45.encode(decoded).utf8) == bytes, "bytes have only one text")
        } catch {
            require(expected == nil, "a text that the other decoder reads is accepted")
            require((0...bytes.count).contains(error.offset), "the place of an error is within the text")
            require(!error.description.isEmpty, "an error has a description")
        }
        // A slice has other indices, which must make no difference.
        let moved = ([0x41] + bytes)[1...]
        require((try? Base45.decode(moved)) == expected, "a slice is read alike")
    }

    private static func plain(_ text: [UInt8]) -> [UInt8]? {
        var bytes: [UInt8] = []
        for start in stride(from: 0, to: text.count, by: 3) {
            let digits = text[start..<min(start + 3, text.count)].compactMap { alphabet.firstIndex(of: $0) }
            guard digits.count == min(3, text.count - start) else { return nil }
            switch digits.count {
            case 3:
                let number = digits[0] + 45 * digits[1] + 45 * 45 * digits[2]
                guard number < 65_536 else { return nil }
                bytes += [UInt8(number / 256), UInt8(number % 256)]
            case 2:
                let number = digits[0] + 45 * digits[1]
                guard number < 256 else { return nil }
                bytes.append(UInt8(number))
            default: return nil
            }
        }
        return bytes
    }
}
