package import Credentials
import Inputs

/// The form of an attachment that may be a picture or PDF. Attachments may be anything, so this asks for more than the form of an
/// input does.
package enum AttachmentForm {
    /// The form of an attachment, and whether it surely is of that form; nil for other content.
    package static func of(_ content: [UInt8]) -> (form: InputForm, isCertain: Bool)? {
        let form = InputForm.scanned(content[...])
        if form == .picture { return (.picture, !isXML(content) || hasRoot(content, "svg")) }
        // A text may mention the header of a PDF.
        if form == .pdf, content.prefix(1024 + 5).beginsLine(with: "%PDF-") { return (.pdf, true) }
        // Programs read a PDF whose header is elsewhere or missing.
        return content.holds("%PDF-") || content.holds("endobj") ? (.pdf, false) : nil
    }

    private static func isXML(_ content: [UInt8]) -> Bool { start(of: content).first == UInt8(ascii: "<") }

    /// The content without white space and byte-order marks before it.
    private static func start(of content: [UInt8]) -> ArraySlice<UInt8> {
        content.drop { [0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) }
    }

    /// Whether the first element of an XML document has this name, with any prefix.
    private static func hasRoot(_ content: [UInt8], _ name: String) -> Bool {
        var rest = start(of: content).prefix(4200)
        while let open = rest.firstIndex(of: UInt8(ascii: "<")) {
            rest = rest[open...].dropFirst()
            // A declaration, a comment or a document type.
            if rest.first == UInt8(ascii: "?") || rest.first == UInt8(ascii: "!") {
                if rest.starts(with: "!--".utf8) {
                    while !rest.isEmpty, !rest.starts(with: "-->".utf8) { rest = rest.dropFirst() }
                }
                continue
            }
            let element = rest.prefix { ![0x20, 0x09, 0x0A, 0x0D, 0x3E, 0x2F].contains($0) }
            return element.elementsEqual(name.utf8)
                || element.suffix(name.utf8.count + 1).elementsEqual(":\(name)".utf8)
        }
        return false
    }
}

extension ArraySlice<UInt8> {
    /// Whether a line begins with this text.
    fileprivate func beginsLine(with text: String) -> Bool {
        indices.contains { place in
            (place == startIndex || self[place - 1] == 0x0A || self[place - 1] == 0x0D)
                && self[place...].starts(with: text.utf8)
        }
    }
}

extension [UInt8] {
    /// Whether these bytes occur.
    func holds(_ text: String) -> Bool {
        let text = Array(text.utf8)
        return indices.contains { self[$0] == text[0] && self[$0...].starts(with: text) }
    }
}

/// A picture whose code is known. A scanner that cannot read it does not work.
enum KnownPicture {
    /// The text of the code.
    static let text = Array("SHCVERIFY".utf8)

    /// The picture as PGM, the format in which the pages of PDF documents are drawn, too.
    static var content: [UInt8] {
        let rows = modules.split(separator: "\n").map { Array($0.utf8) }
        let side = (rows.count + 2 * margin) * pitch
        var pixels = [UInt8](repeating: 0xFF, count: side * side)
        for (row, modules) in rows.enumerated() {
            for (column, module) in modules.enumerated() where module == UInt8(ascii: "#") {
                for line in 0..<pitch {
                    let start = ((row + margin) * pitch + line) * side + (column + margin) * pitch
                    for place in start..<start + pitch { pixels[place] = 0 }
                }
            }
        }
        return Array("P5\n\(side) \(side)\n255\n".utf8) + pixels
    }

    /// The pixels of a module's side.
    private static let pitch = 4
    /// The modules of the margin (ISO/IEC 18004 §9.1).
    private static let margin = 4

    /// A code of version 1 with error correction M, a row a line, as the Python library "qrcode" makes it.
    private static let modules = """
        #######..####.#######
        #.....#.##.#..#.....#
        #.###.#..#.#..#.###.#
        #.###.#..##.#.#.###.#
        #.###.#.#...#.#.###.#
        #.....#...#.#.#.....#
        #######.#.#.#.#######
        .........####........
        #.#.#.#..#.#....#..#.
        .####..#..#...##.....
        ###########.#...#.##.
        ##.#...##.....##....#
        #.#...#.#.#.#.#.##.#.
        ........####.#.#...#.
        #######...##.####..#.
        #.....#..#.###.#.###.
        #.###.#.#.##.###...##
        #.###.#..#....##...#.
        #.###.#.#.#.#..#..#.#
        #.....#..#....#....##
        #######.#.#.#.#..##.#
        """
}
