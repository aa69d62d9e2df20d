import Encodings
import SystemPackage

/// Keeps in a state file how far a batch came (`--resume`).
package struct BatchJournal: LineJournal {
    private let path: String
    private var state: BatchState
    private let isInDoubt: @Sendable () -> Bool

    /// - Parameters:
    ///   - path: the path of the state file.
    ///   - state: how far earlier runs came, with the sum of the input before that position.
    ///   - isInDoubt: whether verdicts of this run may be wrong. It is asked before each time that the file is written.
    package init(_ path: String, state: BatchState, isInDoubt: @escaping @Sendable () -> Bool) {
        self.path = path
        self.state = state
        self.isInDoubt = isInDoubt
    }

    /// The counts of earlier runs.
    var tally: BatchTally { state.tally }

    mutating func begin(output: LineOutput.Mark?) { state.output = output }

    mutating func record(_ tally: BatchTally, position: LinePosition, sum: InputSum?, output: LineOutput.Mark?) {
        state.tally = tally
        state.position = position
        state.output = output
        if let sum { state.inputSum = sum }
    }

    func save(after output: LineOutput) -> String? {
        do throws(Errno) {
            try output.sync()
        } catch {
            return failure("the output could not be written to the disk: \(error)")
        }
        var state = state
        state.isInDoubt = isInDoubt()
        do throws(BatchState.Failure) {
            try state.write(to: path)
            return nil
        } catch {
            return failure(error.message)
        }
    }

    private func failure(_ problem: String) -> String { "--resume \(path): cannot be written: \(problem)" }
}
