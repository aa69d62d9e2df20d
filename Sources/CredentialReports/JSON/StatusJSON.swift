package import Credentials
import Encodings

/// What `status` looks at, as one JSON document.
package enum StatusJSON {
    /// - Parameters:
    ///   - exitCode: the exit code of the program.
    ///   - now: the time at which the items were looked at.
    package static func text(
        _ items: [StatusItem], exitCode: Int32, at now: NumericDate, to destination: Destination
    ) -> [UInt8] {
        JSONWriter.document(to: destination) { writer in
            writer.member("exitCode", Int(exitCode))
            writer.member("checkedAt", now.description)
            writer.objects("items", items) { item, writer in
                writer.member("name", item.name.rawValue)
                writer.member("list", item.list)
                writer.member("status", item.condition.rawValue)
                writer.member("date", item.date)
                writer.member("ageDays", item.ageInDays(at: now))
                writer.member("source", item.source?.rawValue)
                writer.member("required", item.isRequired)
                writer.member("message", item.message)
            }
        }
    }
}
