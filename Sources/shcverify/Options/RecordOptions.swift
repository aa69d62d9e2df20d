import ArgumentParser
import FHIR

/// The records to require or to select, and names for codes.
struct RecordOptions: ParsableArguments {
    @Option(
        name: .customLong("record-type"),
        help: ArgumentHelp(
            "Require records of this type: immunization, laboratory, covid19, recovery, or a FHIR resource type. "
                + "Repeatable; all must be present, and with --since or --until be dated in the interval. "
                + "The command records prints only such records.",
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
            "Names for codes: a FHIR ValueSet or CodeSystem, or a value set of the EU, in addition to the built-in ones. "
                + "Repeatable.",
            valueName: "file"), completion: .file())
    var codes: [GivenValues] = []

    func validate() throws {
        _ = try query()
    }

    /// The records to require, or to select.
    func query(noting note: OptionFile.Note = .nothing) throws -> RecordQuery {
        for type in recordType.all { note("--record-type", Array(type.utf8)) }
        if let since { note("--since", Array(since.utf8)) }
        if let until { note("--until", Array(until.utf8)) }
        do throws(RecordQueryError) {
            return try RecordQuery(recordTypes: recordType.all, since: since, until: until)
        } catch {
            throw ValidationError("\(error)")
        }
    }

    /// The built-in names, and those from the files.
    func names(noting note: OptionFile.Note = .nothing) throws -> CodeNames {
        try codes.all.reduce(into: CodeNames.builtIn) { names, path in
            let bytes = try OptionFile.read(path, option: "--codes", limit: CodeList.maximumSize)
            note("--codes", bytes)
            do throws(CodeListError) {
                try names.add(fhirJSON: bytes)
            } catch {
                throw OptionFile.unusable(path, option: "--codes", "\(error)")
            }
        }
    }
}
