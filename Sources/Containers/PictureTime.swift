package import Credentials
package import HTTPSFetch
import Inputs
import Synchronization

/// The time that the pictures and PDFs of a run may still take together.
///
/// A picture that is made to be slow takes some seconds, and there may be many of them. But none of them makes a usual picture
/// fail: each may take `Bounds.pictureTime`.
package struct PictureTime {
    private var left: Duration

    /// - Parameter time: the time for all pictures, besides `Bounds.pictureTime` for each.
    package init(_ time: Duration = Bounds.picturesTime) { left = time }

    /// The time for the next picture.
    package var next: Duration { left + Bounds.pictureTime }

    /// Subtracts the time that a picture took.
    package mutating func spend(_ time: Duration) { left = min(left, max(.zero, left + Bounds.pictureTime - time)) }

    /// Finds the texts of a picture or PDF.
    ///
    /// - Parameters:
    ///   - most: the most time that it may take; nil for that of this run.
    ///   - scanner: what reads it.
    /// - Returns: the texts; or a failure with `picture-unreadable`, or with `unreadable-input` if there is no scanner.
    /// - Throws: `InstallationFault` if the scanner is installed, but does not work.
    package nonisolated(nonsending) mutating func scan(
        _ bytes: [UInt8], as form: InputForm, source: String, depth: DocumentScanner.Depth = .normal,
        within most: Duration? = nil, by scanner: PictureScanner
    ) async throws(InstallationFault) -> Result<ScannedDocument, VerificationFailure> {
        let scan = begin(bytes, as: form, source: source, depth: depth, within: most)
        return try finish(scan, await scan.run(by: scanner))
    }

    /// The search of a picture or PDF that begins now. Several may go on at once. What the others take from now on does not shorten its
    /// time.
    package func begin(
        _ bytes: [UInt8], as form: InputForm, source: String, depth: DocumentScanner.Depth = .normal,
        within most: Duration? = nil
    ) -> PictureScan {
        PictureScan(
            content: bytes, form: form, source: source, depth: depth, limit: min(next, most ?? next),
            isLimitOfInput: (most ?? next) < next)
    }

    /// Notes what a search took.
    ///
    /// - Returns: the texts; or a failure with `picture-unreadable`, or with `unreadable-input` if there is no scanner.
    /// - Throws: `InstallationFault` if the scanner is installed, but does not work.
    package mutating func finish(
        _ scan: PictureScan, _ outcome: PictureScan.Outcome
    ) throws(InstallationFault) -> Result<ScannedDocument, VerificationFailure> {
        let scanned: Result<ScannedDocument, VerificationFailure>
        do throws(ScanFailure) {
            scanned = try outcome.result.get()
        } catch {
            switch error {
            case .notInstalled(let message):
                return .failure(VerificationFailure(.unreadableInput, "this is \(scan.form.words); \(message)"))
            case .broken(let message): throw InstallationFault(message)
            }
        }
        spend(outcome.time)
        guard case .failure(let failure) = scanned, failure.code == .pictureUnreadable, outcome.time >= scan.limit
        else { return scanned }
        let why =
            scan.isLimitOfInput
            ? "the time for this input was used up"
            : "the pictures of this run have used up their time together, \(Bounds.picturesTime.components.seconds) s and "
                + "\(Bounds.pictureTime.components.seconds) s for each. Give it in a run of its own"
        return .failure(
            VerificationFailure(.pictureUnreadable, "\(scan.form.words) was not read to its end: \(why)"))
    }
}

/// The search of one picture or PDF.
package struct PictureScan: Sendable {
    /// What became of a search, and how long it took.
    package struct Outcome: Sendable {
        let result: Result<Result<ScannedDocument, VerificationFailure>, ScanFailure>
        let time: Duration
    }

    let content: [UInt8]
    let form: InputForm
    let source: String
    let depth: DocumentScanner.Depth
    /// How long it may take.
    let limit: Duration
    /// Whether that is a limit of its input, not of the run.
    let isLimitOfInput: Bool

    /// Searches it.
    package func run(by scanner: PictureScanner) async -> Outcome {
        let start = ContinuousClock.now
        let result: Result<Result<ScannedDocument, VerificationFailure>, ScanFailure>
        do throws(ScanFailure) {
            result = .success(
                try await scanner.get().scan(content, as: form, source: source, depth: depth, within: limit))
        } catch {
            result = .failure(error)
        }
        return Outcome(result: result, time: ContinuousClock.now - start)
    }
}

/// What reads pictures and PDF documents.
package enum PictureScanner: Sendable {
    /// The scanner that is installed with the program. It is looked for only if there is a picture.
    case installed
    /// The same, kept for many pictures.
    case kept(KeptScanner)
    /// A given scanner.
    case given(DocumentScanner)
    /// Nothing: pictures are refused.
    case none

    /// - Throws: `ScanFailure` if there is none.
    func get() throws(ScanFailure) -> DocumentScanner {
        switch self {
        case .installed: return try DocumentScanner.installed
        case .kept(let scanner): return try scanner.get()
        case .given(let scanner): return scanner
        case .none: throw .notInstalled("pictures and PDF documents are not read here")
        }
    }
}

/// The installed scanner, kept for the pictures of a run. It is looked for when there is the first picture.
package final class KeptScanner: Sendable {
    private struct State {
        var scanner: DocumentScanner?
        var most: Int?
    }

    private let state = Mutex(State())
    private let count: @Sendable () -> Int

    /// - Parameter count: how many processes may run at once, at least 1. It is called once, if there is a picture.
    package init(count: @escaping @Sendable () -> Int) { self.count = count }

    /// How many processes may run at once.
    package var most: Int { state.withLock { most(&$0) } }

    private func most(_ state: inout State) -> Int {
        let most = state.most ?? count()
        state.most = most
        return most
    }

    /// - Throws: `ScanFailure` if there is none.
    func get() throws(ScanFailure) -> DocumentScanner {
        try state.withLock { state throws(ScanFailure) in
            if let scanner = state.scanner { return scanner }
            let scanner = DocumentScanner(try DocumentScanner.installed, most: most(&state))
            state.scanner = scanner
            return scanner
        }
    }
}
