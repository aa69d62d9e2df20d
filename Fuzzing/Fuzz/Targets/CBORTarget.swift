import Encodings
import HealthCertificates

/// CBOR, compared with the second reader of the tests, which decides by recursion and compares keys two by two.
enum CBORTarget: FuzzTarget {
    static let name = "cbor"

    static func run(_ bytes: [UInt8]) {
        // Small limits are reached by small inputs.
        for (depth, items) in [(32, 20_000), (3, 8)] {
            let plain = PlainCBOR.read(bytes, maximumDepth: depth, maximumItems: items)
            do throws(CBORError) {
                let value = try CBORDocument.parse(bytes, maximumDepth: depth, maximumItems: items)
                require(plain != nil, "the second reader accepts it too")
                require(plain?.isSame(as: value) == true, "the second reader reads the same value")
                require(value.encoded.elementsEqual(bytes), "the item is the whole of the bytes")
                check(value)
            } catch {
                require(plain == nil, "what the second reader accepts is accepted")
                require((0...bytes.count).contains(error.offset), "the place of an error is within the bytes")
                require(!error.description.isEmpty, "an error has a description")
            }
        }
    }

    private static func check(_ value: CBORValue) {
        if let json = value.json {
            require((try? JSONDocument.parse(json.text)) != nil, "an item as JSON is JSON")
        }
        for member in value.members ?? [] {
            if let number = member.key.integer {
                require(value[number]?.offset == member.value.offset, "a key leads to its value")
            }
            if let again = try? CBORDocument.parse(Array(member.value.encoded), maximumDepth: 32) {
                require(again.kind == member.value.kind, "a value by itself is the same")
            } else {
                require(false, "a value is an item by itself")
            }
        }
    }
}
