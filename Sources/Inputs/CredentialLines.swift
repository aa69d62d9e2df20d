import Credentials
package import Encodings

/// The lines of an input that holds the text of an EU Digital COVID Certificate, alone or among other texts.
package struct CredentialLines {
    /// A text of one or several lines.
    package enum Text {
        /// The text of a certificate, whether it was wrapped over several lines, and the index of its first byte.
        case certificate([UInt8], isWrapped: Bool, start: Int)
        /// The text of a QR code of a SMART Health Card.
        case code(ArraySlice<UInt8>)
        /// A compact JWS.
        case jws(ArraySlice<UInt8>)
        /// A SMART Health Link.
        case link(ArraySlice<UInt8>)
        /// Something else.
        case other(ArraySlice<UInt8>)
    }

    package private(set) var texts: [Text] = []
    /// Whether there were more lines than `Bounds.lines`. The rest was not read.
    package private(set) var isCut = false

    /// - Returns: nil if no line begins like a certificate.
    package init?(_ content: ArraySlice<UInt8>) {
        let isCertificate = { (line: ArraySlice<UInt8>) in InputForm.begins(line.dropIndentation(), with: "hc1:") }
        guard isCertificate(content) || content.contains(0x0A) || content.contains(0x0D) else { return nil }
        let lines = content.split(maxSplits: Bounds.lines, omittingEmptySubsequences: true) { $0 == 0x0A || $0 == 0x0D }
        guard lines.contains(where: isCertificate) else { return nil }
        isCut = lines.count > Bounds.lines
        for line in lines.prefix(Bounds.lines) { add(line) }
        finish()
    }

    /// The certificate that the next line may continue; nil if there is none. It is not on the list yet, so that it grows in place:
    /// to copy it for each line would take quadratic time.
    private var certificate: [UInt8]?
    private var isWrapped = false
    private var start = 0

    /// Puts the certificate on the list.
    private mutating func finish() {
        guard let certificate else { return }
        texts.append(.certificate(certificate, isWrapped: isWrapped, start: start))
        self.certificate = nil
        isWrapped = false
    }

    private mutating func add(_ line: ArraySlice<UInt8>) {
        let trimmed = line.trimmingWhiteSpace()
        guard !trimmed.isEmpty else { return }
        let text: Text
        if InputForm.begins(trimmed, with: "hc1:") {
            finish()
            let text = line.dropIndentation()
            (certificate, start) = (Array(text), text.startIndex)
            return
        } else if InputForm.begins(trimmed, with: "shc:") {
            text = .code(trimmed)
        } else if SMARTHealthLinkText.begins(trimmed) {
            text = .link(trimmed)
        } else if certificate != nil, Self.continues(line) {
            // A space is a character of the text, so none is removed at the end of a line.
            certificate?.append(contentsOf: line)
            isWrapped = true
            return
        } else if InputForm.isJWS(trimmed) {
            text = .jws(trimmed)
        } else {
            text = .other(trimmed)
        }
        finish()
        texts.append(text)
    }

    /// Whether a line can be the continuation of a certificate: it has only characters of base45, and no prefix of its own.
    private static func continues(_ line: ArraySlice<UInt8>) -> Bool {
        // A vaccine pass of New Zealand is one of its own.
        guard InputForm.certificatePrefix(line) == nil, !InputForm.begins(line, with: "nzcp:/") else { return false }
        return line.allSatisfy { $0.isOfBase45 }
    }
}

extension ArraySlice<UInt8> {
    /// The bytes without spaces, tabs and byte-order marks before them.
    fileprivate func dropIndentation() -> ArraySlice<UInt8> { drop { [0x20, 0x09, 0xEF, 0xBB, 0xBF].contains($0) } }
}

/// A credential as a program shows it that decodes it. Its signature is over the text before that, so nothing of it can be verified.
package enum DecodedCredential {
    /// What a JSON object is if it is a card or a certificate that was decoded, in words; nil for other objects.
    package static func describe(_ object: JSONValue) -> String? {
        if object["header"]?.kind == .object, object["payload"]?.kind == .object {
            return
                "this is a card that was decoded into its header and payload, and it cannot be verified without the signature over its "
                + "text: give the JWS itself, or the picture of its code"
        }
        if isCertificate(object) {
            return
                "this is a health certificate that was decoded to JSON, and it cannot be verified without its signature: give the text of "
                + "its code (HC1:…), or the picture of it"
        }
        return nil
    }

    /// Whether an object has what an EU certificate has, or holds one as claims do: by number, or by the names that decoders give.
    private static func isCertificate(_ object: JSONValue, within depth: Int = 3) -> Bool {
        if object["nam"]?.kind == .object, ["ver", "dob", "v", "t", "r"].contains(where: { object[$0] != nil }) {
            return true
        }
        return depth > 0
            && ["-260", "1", "hcert", "payload"].contains {
                object[$0].map { isCertificate($0, within: depth - 1) } ?? false
            }
    }

    /// What a text is if it has the octets of a certificate in hexadecimal, in words; nil for other texts.
    package static func describe(_ content: ArraySlice<UInt8>) -> String? {
        let text = content.starts(with: "0x".utf8) ? content.dropFirst(2) : content
        var digits: [UInt8] = []
        for byte in text where byte != 0x20 && byte != 0x0A && byte != 0x0D {
            guard let digit = byte.hexDigitValue else { return nil }
            digits.append(digit)
        }
        // Shorter than any certificate, and longer than most numbers.
        guard digits.count >= 80, digits.count.isMultiple(of: 2) else { return nil }
        let octets = stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
        guard InputForm.isCWT(octets[...]) else { return nil }
        return
            "these are the octets of a health certificate (CBOR Web Token) in hexadecimal: give the octets themselves, as \"xxd -r -p\" "
            + "makes them, or the text of its code (HC1:…)"
    }
}
