import Cryptography
import Encodings
import TestSupport

/// A COSE_Sign1 message, valid but for what is changed. Its signature verifies with no key.
struct MadeMessage {
    var protected: MadeCBOR? = [1: -7, 4: .bytes([1, 2, 3, 4, 5, 6, 7, 8])]
    /// The content of the byte string of the protected header, if it is not that of `protected`.
    var protectedBytes: [UInt8]?
    var unprotected: MadeCBOR = [:]
    var payload: MadeCBOR = .bytes([0xA1, 0x01, 0x02])
    var signature: MadeCBOR = .bytes([UInt8](repeating: 7, count: 64))
    var tags: [UInt64] = [18]

    var elements: [MadeCBOR] {
        [.bytes(protectedBytes ?? protected?.encoded() ?? []), unprotected, payload, signature]
    }

    var item: MadeCBOR { tagged(.array(elements)) }

    func tagged(_ item: MadeCBOR) -> MadeCBOR { tags.reversed().reduce(item) { .tag($1, $0) } }

    /// The message with a change.
    static func with(_ change: (inout MadeMessage) -> Void) -> MadeMessage {
        var message = MadeMessage()
        change(&message)
        return message
    }

    func parsed(_ style: MadeCBOR.Style = .short) throws(COSEError) -> COSESign1 {
        try COSESign1(COSEParts(item.encoded(style)))
    }

    /// Why the message is refused; nil if it is not.
    var refusal: COSEError? { CryptographyTests.refusal(of: item.encoded()) }
}

/// Why a message is refused; nil if it is not.
func refusal(of bytes: [UInt8]) -> COSEError? {
    do throws(COSEError) {
        _ = try COSESign1(COSEParts(bytes))
        return nil
    } catch {
        return error
    }
}
