import SystemPackage

/// Keeps in a state file how far a batch came (`--resume`).
package struct BatchJournal: LineJournal {
    private let path: String
    private var state: BatchState

    /// - Parameters:
    ///   - path: the path of the state file.
    ///   - state: how far earlier runs came, with the sum of the input before that position.
    package init(_ path: String, state: BatchState) {
        self.path = path
        self.state = state
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
        do throws(BatchState.Failure) {
            try state.write(to: path)
            return nil
        } catch {
            return failure(error.message)
        }
    }

    private func failure(_ problem: String) -> String { "--resume \(path): cannot be written: \(problem)" }
}
