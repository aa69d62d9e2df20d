package import Credentials
package import HTTPSFetch
import Processes

/// Reads the cards of a file.
package protocol FileReader: Sendable {
    /// Reads all cards of a file. It may take long, so no thread that others wait for may call it.
    ///
    /// - Parameters:
    ///   - path: its path.
    ///   - line: the number of the line with the path.
    /// - Returns: the cards, at least one. A file that cannot be read, or has no card, is one card with the failure.
    /// - Throws: `InstallationFault` if no picture can be read at all.
    func cards(of path: String, line: Int) throws(InstallationFault) -> [PresentedCredential]
}

extension FileReader {
    /// The cards of the file whose path is a line.
    func cards(ofLine line: ArraySlice<UInt8>?, _ number: Int) throws(InstallationFault) -> [PresentedCredential] {
        // Lists from Windows end their lines with a carriage return.
        let path = line.map { $0.last == 0x0D ? $0.dropLast() : $0 }
        guard path?.isEmpty != true else {
            return [failure(.emptyInput, "the line is empty, and each line is the path of a file", number)]
        }
        guard let path, path.count <= InputReader.longestName else {
            return [failure(.unreadableInput, "the line is too long for the path of a file", number)]
        }
        guard !path.contains(0) else {
            return [failure(.unreadableInput, "the line is not the path of a file: it has a NUL byte", number)]
        }
        guard let name = String(validating: path, as: UTF8.self) else {
            return [failure(.unreadableInput, "the line is not the path of a file: it is not text in UTF-8", number)]
        }
        return try cards(of: name, line: number)
    }

    private func failure(_ code: ReasonCode, _ message: String, _ number: Int) -> PresentedCredential {
        PresentedCredential(failure: VerificationFailure(code, message), source: "line \(number)")
    }
}
