import ArgumentParser
import FHIR

/// The records to require or to select, and names for codes.
struct RecordOptions: ParsableArguments {
    @Option(
        name: .customLong("record-type"),
        help: ArgumentHelp(
            "Require records of this type: immunization, laboratory, covid19, recovery, yellow-fever, polio, or a FHIR "
                + "resource type. "
                + "Repeatable; all must be present, and dated in the interval if --since or --until is given. A record counts "
                + "only while it is in force, and never if it says that there is nothing. "
                + "`records` prints only these.",
            valueName: "type"), completion: .list(RequiredRecordType.commonNames))
    var recordType: [GivenValues] = []

    @Option(
        name: .customLong("since"),
        help: ArgumentHelp(
            "Require that the card's relevant date is this date or later. The command records prints only such "
                + "records.", valueName: "date"))
    var since: String?

    @Option(
        name: .customLong("until"),
        help: ArgumentHelp(
            "Require that the card's relevant date is this date or earlier. The command records prints only such "
                + "records.", valueName: "date"))
    var until: String?

    @Option(
        name: .customLong("codes"),
        help: ArgumentHelp(
            "Names for codes: a FHIR ValueSet or CodeSystem, a value set of the EU, or one of CDC's tables, in addition to the "
                + "built-in and the installed lists. Repeatable.",
            valueName: "file"), completion: .file())
    var codes: [GivenValues] = []

    func validate() throws {
        _ = try query()
    }

    /// The records to require, or to select.
    func query() throws -> RecordQuery {
        do throws(RecordQueryError) {
            return try RecordQuery(recordTypes: recordType.all, since: since, until: until)
        } catch {
            throw ValidationError("\(error)")
        }
    }
}
