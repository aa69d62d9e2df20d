import Processes

/// A file that an option names and that verdicts depend on: keys, trusted issuers, anchors, revocation lists, roots of TLS.
struct GivenFile: Hashable {
    let option: String
    let path: String

    /// Looks for files that other users than this one and root could have written. Whoever can, decides about verdicts.
    ///
    /// - Parameter isTrustRequired: whether such a file ends the command. If not, it is a warning.
    static func check(_ files: [GivenFile], isTrustRequired: Bool) throws {
        var seen: Set<GivenFile> = []
        var refusals: [String] = []
        for file in files where file.path != "-" && seen.insert(file).inserted {
            guard let objection = WriteAccess.objection(toWayTo: file.path) else { continue }
            let name = "\(file.option) \(file.path)"
            guard isTrustRequired else {
                StandardStreams.warn(
                    "shcverify: warning: \(name): \(objection), so not only you and root decide which cards pass")
                continue
            }
            refusals.append(
                "shcverify: \(name): cannot be relied on: \(objection). The file and the folders above it must belong to root or to "
                    + "you, and nobody else may write to them")
        }
        if !refusals.isEmpty { throw CommandFailure(.unreadable, lines: refusals) }
    }
}
