package import Credentials
package import HTTPSFetch
import Inputs
package import Scanning

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
        let limit = min(next, most ?? next)
        let start = ContinuousClock.now
        let scanned: Result<ScannedDocument, VerificationFailure>
        do throws(ScanFailure) {
            scanned = try await scanner.get().scan(bytes, as: form, source: source, depth: depth, within: limit)
        } catch {
            switch error {
            case .notInstalled(let message):
                return .failure(VerificationFailure(.unreadableInput, "this is \(form.words); \(message)"))
            case .broken(let message): throw InstallationFault(message)
            }
        }
        let time = ContinuousClock.now - start
        spend(time)
        guard case .failure(let failure) = scanned, failure.code == .pictureUnreadable, time >= limit else {
            return scanned
        }
        let why =
            limit < next
            ? "the time for this input was used up"
            : "the pictures of this run have used up their time together, \(Bounds.picturesTime.components.seconds) s and "
                + "\(Bounds.pictureTime.components.seconds) s for each. Give it in a run of its own"
        return .failure(VerificationFailure(.pictureUnreadable, "\(form.words) was not read to its end: \(why)"))
    }
}

/// What reads pictures and PDF documents.
package enum PictureScanner: Sendable {
    /// The scanner that is installed with the program. It is looked for only if there is a picture.
    case installed
    /// A given scanner.
    case given(DocumentScanner)
    /// Nothing: pictures are refused.
    case none

    /// - Throws: `ScanFailure` if there is none.
    func get() throws(ScanFailure) -> DocumentScanner {
        switch self {
        case .installed: return try DocumentScanner.installed
        case .given(let scanner): return scanner
        case .none: throw .notInstalled("pictures and PDF documents are not read here")
        }
    }
}
