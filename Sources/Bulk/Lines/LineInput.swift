import CredentialReports
import Credentials
import Inputs
package import Processes
import SystemPackage

/// The open input of a run: a file or standard input with lines.
package struct LineInput: Sendable {
    /// The name of the input: its path, or `stdin`.
    package let source: String
    private let file: FileDescriptor

    /// - Parameters:
    ///   - path: its path.
    ///   - source: its name.
    /// - Throws: why it cannot be opened.
    package init(_ path: String, source: String) throws(InputReader.Failure) {
        self.source = source
        file = try InputReader.open(path)
    }

    /// What the input is if it surely has no cards in its lines, and what to do instead; nil for other inputs, and for pipes.
    ///
    /// - Parameter isOfPaths: whether the lines are to be paths of files.
    package func advice(forPaths isOfPaths: Bool) -> String? {
        var beginning = [UInt8](repeating: 0, count: 256)
        // Unsafe: at most as many bytes are written as the array has.
        let read = unsafe beginning.withUnsafeMutableBytes { room in
            unsafe (try? file.read(fromAbsoluteOffset: 0, into: room)) ?? 0
        }
        let start = beginning[..<read]
        let name = TerminalText.printable(source)
        let takes = isOfPaths ? "and batch --pictures takes paths, one a line" : "and batch takes cards, one a line"
        if let form = InputForm.scanned(start) {
            guard !isOfPaths else { return "\(name) is \(form.words), \(takes): \"shcverify -- FILE\" reads it" }
            return
                "\(name) is \(form.words), \(takes): \"shcverify inspect --format qr -- FILE\" prints the texts of its QR codes for batch"
        }
        if start.starts(with: "PAR1".utf8) {
            return "\(name) is a Parquet file, \(takes): docs/tables.md has a recipe with DuckDB"
        }
        if start.starts(with: "PK\u{3}\u{4}".utf8) { return "\(name) is a ZIP archive, \(takes): unpack it first" }
        if !isOfPaths, Self.isCSV(start) {
            return
                "\(name) looks like CSV, \(takes): \"mlr --icsv --ojsonl cat FILE | shcverify batch\" takes the column \"card\", and docs/tables.md has a recipe with DuckDB"
        }
        return nil
    }

    /// Whether a file begins with names of columns. No card has a comma or a semicolon.
    private static func isCSV(_ beginning: ArraySlice<UInt8>) -> Bool {
        let line = beginning.prefix { $0 != UInt8(ascii: "\n") }
        let isName = { (byte: UInt8) in (0x41...0x5A).contains(byte & 0xDF) || byte == UInt8(ascii: "\"") }
        return line.first.map(isName) == true && line.contains { [UInt8(ascii: ","), UInt8(ascii: ";")].contains($0) }
    }

    /// A reader that begins with the first line.
    ///
    /// - Parameter keepsSum: whether the reader keeps the sum of what it has read up to date. Without a state file, nobody needs it.
    package func reader(keepsSum: Bool = false) -> LineReader { LineReader(file, sum: keepsSum ? InputSum() : nil) }

    /// A reader that begins at the position at which an earlier run stopped.
    ///
    /// All of the input before the position is read, and compared with what the earlier run read.
    ///
    /// - Returns: the reader, which keeps the sum of what it has read; nil if the input before the position has changed.
    /// - Throws: why the input cannot be read.
    package func reader(continuingAt position: LinePosition, after digest: String) throws(InputReader.Failure)
        -> LineReader?
    {
        var reader = LineReader(file, sum: InputSum())
        return try reader.skip(toEarlier: position) && reader.sum?.digest == digest ? reader : nil
    }
}
