import Credentials
package import Encodings

/// Names of files that were given in the place of their content.
package enum FileName {
    /// The longest path that a file can have, in bytes.
    package static let longest = 4095

    /// The most lines that are looked at.
    private static let maximumLines = 1000

    /// Whether a line looks like the name of a file with a card.
    package static func isOne(_ line: ArraySlice<UInt8>) -> Bool {
        guard line.count <= longest, line.allSatisfy({ $0 >= 0x20 }), InputForm.unread(line) == nil else {
            return false
        }
        switch InputForm(line) {
        case .jws?, nil: break
        default: return false
        }
        let ends = [
            ".smart-health-card", ".pkpass", ".txt", ".json", ".jws", ".hc1", ".png", ".jpg", ".jpeg", ".webp", ".gif",
            ".tif", ".tiff", ".heic", ".svg", ".pdf", ".bmp",
        ]
        if ends.contains(where: { InputForm.begins(line.suffix($0.utf8.count), with: $0) }) { return true }
        return ["/", "./", "../", "~/"].contains { line.starts(with: $0.utf8) } && !line.contains(0x20)
    }

    /// Whether each line of a text looks like the name of a file.
    package static func areAll(in content: ArraySlice<UInt8>) -> Bool {
        guard content.count <= longest * maximumLines else { return false }
        let lines = content.split(maxSplits: maximumLines) { $0 == 0x0A || $0 == 0x0D }.prefix(maximumLines)
            .map { $0.trimmingWhiteSpace() }.filter { !$0.isEmpty }
        return !lines.isEmpty && lines.allSatisfy { isOne($0) }
    }

    /// What such a text is, and what to do.
    package static let words =
        "this looks like names of files, and only what an input holds is read: give the names themselves, as in \"shcverify -- FILES\""
}

/// The names of the files in a ZIP archive, from its directory (APPNOTE.TXT 4.3.12). Nothing is unpacked.
struct ZIPNames {
    /// The names of the first files, as they are written.
    let names: [ArraySlice<UInt8>]

    /// The most files of an archive whose names are read.
    private static let mostFiles = 1000
    /// The bytes at the end in which the end of the directory is looked for: 22, and the longest comment.
    private static let endSize = 22 + 0xFFFF

    /// - Returns: nil if the bytes are no archive, or its directory cannot be read.
    init?(_ bytes: ArraySlice<UInt8>) {
        guard bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) else { return nil }
        let tail = bytes.suffix(Self.endSize)
        let end = tail.indices.last { tail[$0] == 0x50 && tail[$0...].starts(with: [0x50, 0x4B, 0x05, 0x06]) }
        guard let end, let offset = Self.number(bytes[end...], at: 16, width: 4), offset < bytes.count else {
            return nil
        }
        var rest = bytes.dropFirst(offset)
        var names: [ArraySlice<UInt8>] = []
        while names.count < Self.mostFiles, rest.starts(with: [0x50, 0x4B, 0x01, 0x02]) {
            guard let name = Self.number(rest, at: 28, width: 2), let extra = Self.number(rest, at: 30, width: 2),
                let comment = Self.number(rest, at: 32, width: 2), rest.count >= 46 + name
            else { break }
            names.append(rest.dropFirst(46).prefix(name))
            rest = rest.dropFirst(46 + name + extra + comment)
        }
        self.names = names
    }

    /// Whether the archive has a file of this name.
    func contains(_ name: String) -> Bool { names.contains { $0.elementsEqual(name.utf8) } }

    /// A number in little-endian order; nil if the bytes end before.
    private static func number(_ bytes: ArraySlice<UInt8>, at offset: Int, width: Int) -> Int? {
        let field = bytes.dropFirst(offset).prefix(width)
        guard field.count == width else { return nil }
        return field.reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}

/// A media type with its parameters (RFC 9110 §8.3.1), read leniently.
package struct MediaType {
    /// The type without parameters, in lower case. One without a slash is below `application/` (RFC 7515 §4.1.10).
    package let essence: [UInt8]
    private let parameters: [ArraySlice<UInt8>]

    package init(_ text: UTF8Text) {
        let parts = Array(text.utf8).split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
        let essence = (parts.first ?? []).filter { $0 > 0x20 }.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        self.essence = essence.contains(UInt8(ascii: "/")) ? essence : Array("application/".utf8) + essence
        parameters = Array(parts.dropFirst())
    }

    /// That of files with SMART Health Cards.
    package static let healthCard = "application/smart-health-card"
    /// The same type as ``init(_:)`` takes it too.
    static let shortHealthCard = "smart-health-card"

    /// Whether it is that of a file with SMART Health Cards.
    package var isHealthCard: Bool { essence.elementsEqual(Self.healthCard.utf8) }

    /// The value of a parameter, without quotation marks; nil if there is none.
    ///
    /// - Parameter name: the name, in lower case.
    package func parameter(_ name: String) -> UTF8Text? {
        for parameter in parameters {
            guard let equals = parameter.firstIndex(of: UInt8(ascii: "=")) else { continue }
            let found = parameter[..<equals].filter { $0 > 0x20 }.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
            guard found.elementsEqual(name.utf8) else { continue }
            return UTF8Text(decoding: parameter[(equals + 1)...].filter { $0 > 0x20 && $0 != UInt8(ascii: "\"") })
        }
        return nil
    }
}

/// A place in a JSON text, for messages.
struct JSONPlace {
    enum Step {
        case member(UTF8Text)
        case element(Int)
    }

    var steps: [Step] = []

    /// The longest path that is shown. The beginning of a longer one is left out.
    private static let longest = 8

    /// The path, such as `entry[0].resource`. It is safe to print, though strangers have chosen the names.
    var words: String {
        var words = steps.count > Self.longest ? "…" : ""
        for step in steps.suffix(Self.longest) {
            switch step {
            case .element(let index): words += "[\(index)]"
            case .member(let name):
                let isPlain =
                    !name.isEmpty && name.utf8.count <= 40
                    && name.utf8.allSatisfy { (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) }
                words += isPlain ? "\(words.isEmpty ? "" : ".")\(name)" : "[\(name.quoted(upTo: 40))]"
            }
        }
        return words
    }
}

/// What texts of codes are that are no credential here, by their prefix.
enum KnownPrefixes {
    /// Prefixes that resemble that of EU certificates (`InputForm.certificatePrefix`), in words with an article.
    static let certificates = [
        "HC2:": "a later version of EU certificates", "NO1:": "a domestic certificate of Norway",
        "DK3:": "a domestic certificate of Denmark", "AT1:": "a domestic certificate of Austria",
        "LT1:": "a light certificate of Switzerland",
    ]

    /// Prefixes in lower case that are none of a credential, in words with an article. The first that fits counts.
    static let others = [
        ("http:", "a web address"), ("https:", "a web address"), ("wifi:", "a Wi-Fi network"),
        ("begin:vcard", "a contact"), ("mecard:", "a contact"), ("begin:v", "a calendar entry"),
        ("mailto:", "an e-mail address"), ("matmsg:", "an e-mail"), ("tel:", "a telephone number"),
        ("sms:", "a text message"), ("smsto:", "a text message"), ("geo:", "a place on a map"),
        ("otpauth:", "a login code"), ("bcd\n", "a payment"), ("bcd\r", "a payment"),
    ]

    /// How texts of codes and card files begin in percent-encoding, in lower case. The text of a link that has kept its colon is a link.
    static let percentEncoded = ["shc%3a", "shc:%2f", "hc1%3a", "shlink%3a", "%7b"]
}
