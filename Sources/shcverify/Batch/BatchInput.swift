import ArgumentParser
import Bytes
import CredentialReports
import Credentials
import Cryptography
import Inputs
import LocalFiles
import SystemPackage

/// The open input of a run: a file or standard input.
struct BatchInput: Sendable {
    /// The name of the input: its path, or `stdin`.
    let source: String
    private let file: FileDescriptor

    /// - Throws: `ExitCode` 66, after a line on standard error, if it cannot be opened.
    init(_ path: String) throws {
        source = InputReader.name(of: path)
        do throws(InputReader.Failure) {
            file = try InputReader.open(path)
        } catch {
            let (source, message) = InputReader.explain(path, number: 1, failure: error, qrOption: "verify --qr")
            StandardStreams.warn("\(source): unreadable-input: \(message)")
            throw CommandExit.unreadable
        }
    }

    /// What the input is if it surely has no cards in its lines, and what to do instead; nil for other inputs, and for pipes.
    var advice: String? {
        var beginning = [UInt8](repeating: 0, count: 64)
        // Unsafe: at most as many bytes are written as the array has.
        let read = unsafe beginning.withUnsafeMutableBytes { room in
            unsafe (try? file.read(fromAbsoluteOffset: 0, into: room)) ?? 0
        }
        let start = beginning[..<read]
        let name = TerminalText.printable(source)
        let takes = "and batch takes cards, one a line"
        if let form = InputForm.scanned(start) {
            return
                "\(name) is \(form.words), \(takes): \"shcverify inspect --format qr -- FILE\" prints the texts of its QR codes for batch"
        }
        if start.starts(with: "PAR1".utf8) {
            return "\(name) is a Parquet file, \(takes): docs/tables.md has a recipe with DuckDB"
        }
        if start.starts(with: "PK\u{3}\u{4}".utf8) { return "\(name) is a ZIP archive, \(takes): unpack it first" }
        return nil
    }

    /// A reader that begins at the place of a state.
    ///
    /// All of the input before the place is read, and compared with what the earlier run read.
    ///
    /// - Parameters:
    ///   - state: how far the earlier run came. It gets the sum of the input before the place.
    ///   - keepsSum: whether the reader keeps that sum up to date. Without a state file, nobody needs it.
    /// - Throws: `ExitCode` 64, after a line on standard error, if the input before the place has changed, or 66 if it cannot be read.
    func reader(continuing state: inout BatchState, keepsSum: Bool) throws -> BatchReader {
        let place = state.place
        guard let digest = state.earlierDigest else { return BatchReader(file, sum: keepsSum ? BatchInputSum() : nil) }
        var reader = BatchReader(file, sum: BatchInputSum())
        let isSame: Bool
        do throws(InputReader.Failure) {
            isSame = try reader.skip(toEarlier: place) && reader.sum?.digest == digest
        } catch {
            StandardStreams.warn("\(source): unreadable-input: cannot be read: \(error.message)")
            throw CommandExit.unreadable
        }
        guard isSame, let sum = reader.sum else {
            StandardStreams.warn(
                "shcverify: --resume: \(source) has changed since the state was written: the lines before line "
                    + "\(place.line) are no longer those that were judged"
            )
            throw CommandExit.usage
        }
        state.inputSum = sum
        return reader
    }
}

/// The sum of the beginning of an input: a digest that grows with the input as it is read, so that nothing is read again for it.
///
/// The digest is a chain over chunks of the same size, so it does not depend on how much is added at a time. The sum is a small
/// value, which each block of lines can have.
struct BatchInputSum: Equatable {
    private static let chunkSize = 8 << 10

    /// The number of bytes that the sum is of.
    private(set) var offset = 0
    /// The digest of all whole chunks; empty if there are none.
    private var chunks: [UInt8] = []
    /// The bytes after the last whole chunk.
    private var rest: [UInt8] = []

    /// Adds the next bytes.
    mutating func add(_ bytes: ArraySlice<UInt8>) {
        offset += bytes.count
        var bytes = bytes
        while rest.count + bytes.count >= Self.chunkSize {
            let count = Self.chunkSize - rest.count
            chunks = SHA256.digest(chunks + rest + bytes.prefix(count))
            rest = []
            bytes = bytes.dropFirst(count)
        }
        rest += bytes
    }

    /// The digest of these bytes, in hexadecimal digits.
    var digest: String { SHA256.digest(chunks + rest).hexadecimal }
}
