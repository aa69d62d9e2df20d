import CredentialReports
import Credentials
import Cryptography
import Directories
import Encodings

extension DirectoryChange {
    /// Differences as one JSON document.
    static func json(_ changes: [DirectoryChange], to destination: Destination) -> [UInt8] {
        JSONWriter.document(to: destination) { write(changes, to: &$0) }
    }

    /// Writes the member `changes`.
    static func write(_ changes: [DirectoryChange]?, to writer: inout JSONWriter) {
        writer.objects("changes", changes) { change, writer in
            writer.member("kind", change.kind.rawValue)
            writer.member("iss", change.issuer.url)
            writer.member("kid", change.keyID?.description)
            writer.member("before", change.before)
            writer.member("after", change.after)
        }
    }
}
