import ArgumentParser

/// What is printed, and how.
struct OutputOptions: ParsableArguments {
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json, fhir
    }

    @Option(
        name: .customLong("format"),
        help: "text: a report for people; json: one JSON document; fhir: only the FHIR Bundle, a line a card.")
    var format = Format.text

    @Flag(
        name: [.customShort("q"), .customLong("quiet")],
        help: "Print nothing to stdout; the exit code says it. Messages name no person, record or date of the card.")
    var quiet = false

    @Option(name: .customLong("color"), help: "Whether the report is coloured. NO_COLOR is respected.")
    var color = ColorChoice.auto
}
