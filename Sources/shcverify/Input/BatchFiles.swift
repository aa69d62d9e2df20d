import Bulk
import Credentials
import Dispatch
import HTTPSFetch
import Inputs
import Processes
import Synchronization
import Verification

/// Reads the files whose paths are the lines of a batch, each as an input of its own.
struct BatchFiles: FileReader {
    private let scanner: KeptScanner

    /// - Parameter jobs: how many files are read at the same time.
    ///
    /// More pictures at a time than there are processors would each take longer than its limit of time.
    init(jobs: Int) { scanner = KeptScanner { min(jobs, LineThreads.count(asked: nil), Bounds.scanners) } }

    func cards(of path: String, line: Int) throws(InstallationFault) -> [PresentedCredential] {
        // Standard input may be the list itself.
        let path = InputReader.isStandardInput(path) ? "./-" : path
        guard InputReader.exists(path) || PastedInput(path) == nil else {
            let message = "the line is not the path of a file. Without --pictures, each line is a card"
            return [
                PresentedCredential(failure: VerificationFailure(.unreadableInput, message), source: "line \(line)")
            ]
        }
        return try wait { [scanner] () async throws(InstallationFault) -> [PresentedCredential] in
            // No link is opened: a run over many files should not contact servers that the files name.
            let cards = try await CredentialReader(readingFile: path, number: line, by: scanner).cards()
            guard cards.isEmpty else { return cards }
            return [
                PresentedCredential(
                    failure: VerificationFailure(.emptyInput, "no health card here"), source: InputReader.name(of: path)
                )
            ]
        }
    }

    /// Waits for a task. The thread must be one that no task needs.
    private func wait<Value: Sendable>(
        for body: @escaping @Sendable () async throws(InstallationFault) -> Value
    ) throws(InstallationFault) -> Value {
        let result = WaitedResult<Value>()
        Task {
            do throws(InstallationFault) {
                result.set(.success(try await body()))
            } catch {
                result.set(.failure(error))
            }
        }
        return try result.wait().get()
    }
}

/// What a task gives a thread that waits for it.
private final class WaitedResult<Value: Sendable>: Sendable {
    private let result = Mutex<Result<Value, InstallationFault>?>(nil)
    private let isThere = DispatchSemaphore(value: 0)

    func set(_ value: Result<Value, InstallationFault>) {
        result.withLock { $0 = value }
        isThere.signal()
    }

    func wait() -> Result<Value, InstallationFault> {
        while true {
            isThere.wait()
            if let value = result.withLock({ $0 }) { return value }
        }
    }
}
