package import Credentials
package import Inputs

/// The forms in which cards are presented.
package enum Carrier {
    /// The digits of a QR code. Each character is written as two digits: its ASCII code minus 45.
    package static func digits(_ jws: some Sequence<UInt8>) -> String {
        jws.map { byte in
            let number = String(Int(byte) - 45)
            return number.utf8.count < 2 ? "0" + number : number
        }.joined()
    }

    package static func qr(_ jws: some Sequence<UInt8>) -> String { "shc:/" + digits(jws) }

    /// A JWS, split over this number of QR codes.
    package static func chunks(_ jws: [UInt8], count: Int) -> [String] {
        (0..<count).map { index in
            let part = jws[(jws.count * index / count)..<(jws.count * (index + 1) / count)]
            return "shc:/\(index + 1)/\(count)/" + digits(part)
        }
    }

    package static func file(_ cards: [[UInt8]]) -> String {
        let texts = cards.map { "\"" + String(decoding: $0, as: UTF8.self) + "\"" }
        return #"{"verifiableCredential":[\#(texts.joined(separator: ","))]}"#
    }

    package static func parameters(_ cards: [[UInt8]]) -> String {
        let parts = cards.map {
            #"{"name":"verifiableCredential","valueString":"\#(String(decoding: $0, as: UTF8.self))"}"#
        }
        return #"{"resourceType":"Parameters","parameter":[\#(parts.joined(separator: ","))]}"#
    }

    package static func percentEncoded(_ text: String, uppercase: Bool = true) -> String {
        text.utf8.map { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: String(Unicode.Scalar(byte))
            default: "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: uppercase)
            }
        }.joined()
    }
}

extension CredentialReader {
    /// The cards in inputs that all have the same name.
    package static func cards(in inputs: String..., source: String = "in") -> [PresentedCredential] {
        cards(in: inputs, source: source)
    }

    package static func cards(in inputs: [String], source: String = "in") -> [PresentedCredential] {
        var reader = CredentialReader()
        for input in inputs { reader.add(Array(input.utf8), source: source) }
        return reader.cards()
    }
}

extension PresentedCredential {
    /// The text as a string; nil if the card cannot be read.
    package var words: String? { (try? text.get()).map { String(decoding: $0, as: UTF8.self) } }

    /// Why the card cannot be read; nil if it can.
    package var failure: VerificationFailure? {
        guard case .failure(let failure) = text else { return nil }
        return failure
    }
}
