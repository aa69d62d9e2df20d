import Credentials
import Encodings

/// A card that lacks what belongs around it, or has something around it that does not belong there.
package enum BareText {
    /// What content is whose form is not known, if it is a card but for what is around it; nil if it is not.
    ///
    /// - Parameter content: the content, without white space around it.
    package static func describe(_ content: ArraySlice<UInt8>) -> String? {
        if isDigitsOfCode(content) {
            return "these are the digits of a SMART Health Card's QR code without its beginning, shc:/"
        }
        switch content.first {
        case UInt8(ascii: "["): return describe(array: content)
        case UInt8(ascii: "\""), UInt8(ascii: "'"):
            guard content.count > 2, content.last == content.first else { return nil }
            let inside = content.dropFirst().dropLast().trimmingWhiteSpace()
            if InputForm.begins(inside, with: "shc:") {
                return "this is the text of a QR code between quotation marks, which do not belong to it"
            }
            return InputForm.isJWS(inside)
                ? "this is a JWS between quotation marks, which do not belong to it" : nil
        default: return nil
        }
    }

    /// How an issuer corrects what `describe` describes, an instruction; nil for other content.
    package static func remedy(for content: ArraySlice<UInt8>) -> String? {
        guard describe(content) != nil else { return nil }
        return switch content.first {
        case UInt8(ascii: "["): "Write {\"verifiableCredential\": before the array, and } after it."
        case UInt8(ascii: "\""), UInt8(ascii: "'"): "Remove the quotation marks."
        default: "Put shc:/ before the digits."
        }
    }

    /// Whether content is digits that begin as `ey` does in a QR code, as every JWS begins.
    private static func isDigitsOfCode(_ content: ArraySlice<UInt8>) -> Bool {
        content.starts(with: "567629".utf8) && content.allSatisfy { (0x30...0x39).contains($0) }
    }

    private static func describe(array content: ArraySlice<UInt8>) -> String? {
        let text = Array(content)
        guard !text.holdsMoreJSONValues(than: Bounds.inputValues),
            let elements = (try? JSONDocument.parse(text, maximumDepth: Bounds.nesting))?.elements, elements.count > 0,
            elements.allSatisfy({ $0.stringBytes.map { InputForm.isJWS($0[...]) } ?? false })
        else { return nil }
        return "this is a JSON array of JWS; a card file has it in an object, {\"verifiableCredential\": […]}"
    }
}
