import Bulk
import Credentials
import Processes

/// The input of a run over lines, as the command line names it.
struct GivenLines {
    let input: LineInput

    /// - Throws: `CommandFailure` if it cannot be opened.
    init(_ path: String) throws {
        do throws(InputReader.Failure) {
            input = try LineInput(path, source: InputReader.name(of: path))
        } catch {
            let (source, message) = InputReader.explain(path, number: 1, failure: error, qrOption: "verify --qr")
            throw CommandFailure(.unreadable, "unreadable-input: \(message)", of: source)
        }
    }

    /// A reader that begins at the position of a state.
    ///
    /// - Parameter state: how far the earlier run came. It gets the sum of the input before the position.
    /// - Throws: `CommandFailure` if the input before the position has changed, or if it cannot be read.
    func reader(continuing state: inout BatchState) throws -> LineReader {
        guard let digest = state.earlierDigest else { return input.reader(keepsSum: true) }
        let reader: LineReader?
        do throws(InputReader.Failure) {
            reader = try input.reader(continuingAt: state.position, after: digest)
        } catch {
            throw CommandFailure(
                .unreadable, "unreadable-input: cannot be read: \(error.message)", of: input.source)
        }
        guard let reader, let sum = reader.sum else {
            throw CommandFailure(
                .usage,
                "--resume: \(input.source) has changed since the state was written: the lines before line "
                    + "\(state.position.line) are no longer those that were judged")
        }
        state.inputSum = sum
        return reader
    }
}
