/// A program that is run as a process of its own and is not trusted: it finds bytes on its standard input, answers on its
/// standard output, and is ended on time whatever it does.
struct HelperProcess: Sendable {
    /// How a run ended.
    enum Ending: Sendable {
        /// The process has answered, or ended without an answer.
        case ended(output: [UInt8], Status)
        /// It wrote more than it may.
        case tooMuchOutput
        /// The time was up before it ended.
        case outOfTime
        /// It could not be started, for this reason.
        case notStarted(String)
    }

    /// What the system says of a process that has ended.
    enum Status: Sendable {
        case exited(Int32)
        case signaled(Int32)
        /// It had to be killed after its answer, or somebody else has been told.
        case unknown
    }

    /// The path of the program.
    let executable: String
    /// All of its environment.
    let environment: [String: String]

    /// Runs the program. If the task is cancelled, the process is killed.
    ///
    /// - Parameters:
    ///   - input: what it finds on its standard input.
    ///   - outputLimit: how many bytes it may write.
    ///   - time: how long it may run.
    /// - Returns: how it ended. The process is gone by then, unless not even the system can end it.
    func run(input: [UInt8], outputLimit: Int, within time: Duration) async -> Ending {
        let run = HelperRun(self, input: input, outputLimit: outputLimit, time: time)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { run.begin($0) }
        } onCancel: {
            run.end()
        }
    }
}
