import Encodings

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
