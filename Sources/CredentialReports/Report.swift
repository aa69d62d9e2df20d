/// A report on items of one kind in one format, such as verdicts as JSON or findings as SARIF.
///
/// The caller begins a report, adds items one by one, and finishes it:
///
///     var report = VerdictFormat.json.report(now: now, names: .builtIn, to: destination, by: tool)
///     try report.begin(to: write)
///     for verdict in verdicts { try report.add(verdict, to: write) }
///     try report.finish(to: write)
///
/// Text goes to the sink as soon as possible, so that a long report is never held in memory. A format that needs all items before it can
/// write the first one, such as SARIF, keeps them until `finish`.
///
/// To add a format, write a type that conforms, in a separate file, and add a case to the list of formats (`VerdictFormat`, `LintFormat`,
/// `RecordsFormat`, `InspectionFormat`). The values of the command's `--format` and its help are made from that list.
public protocol Report<Item> {
    associatedtype Item

    /// Begins the report. A format may wait for the first item before it writes anything.
    mutating func begin(to sink: ReportSink) throws

    /// Adds the next item.
    mutating func add(_ item: Item, to sink: ReportSink) throws

    /// Ends the report after the last item, and writes the rest of it.
    mutating func finish(to sink: ReportSink) throws
}

/// Writes the next part of a report, in UTF-8. An error that it throws ends the report.
public typealias ReportSink = ([UInt8]) throws -> Void

extension Report {
    package mutating func begin(to sink: ReportSink) throws {}

    /// Writes a whole report.
    public mutating func write(_ items: some Sequence<Item>, to sink: ReportSink) throws {
        try begin(to: sink)
        for item in items { try add(item, to: sink) }
        try finish(to: sink)
    }

    /// The bytes of a whole report.
    public func text(of items: some Sequence<Item>) -> [UInt8] {
        var report = self
        var text: [UInt8] = []
        // A report throws only the errors of its sink, and this sink throws none.
        try? report.write(items) { text += $0 }
        return text
    }
}

/// The formats of one kind of report. They are the values of `--format`.
public protocol ReportFormat: RawRepresentable<String>, CaseIterable, Sendable {
    /// A description in a few words, for the option's help.
    var summary: String { get }
}

extension ReportFormat {
    /// All formats with their descriptions, for the option's help.
    public static var help: String { allCases.map { "\($0.rawValue): \($0.summary)" }.joined(separator: "; ") + "." }
}

/// Collects small pieces of a report, so that they are written together.
package struct ReportPart {
    private var bytes: [UInt8] = []

    package init() {}

    /// The number of bytes at which the collected pieces are written.
    package static let size = 64 << 10

    package mutating func add(_ piece: some Sequence<UInt8>, to sink: ReportSink) throws {
        bytes.append(contentsOf: piece)
        if bytes.count >= Self.size { try flush(to: sink) }
    }

    /// Writes the collected pieces.
    package mutating func flush(to sink: ReportSink) throws {
        guard !bytes.isEmpty else { return }
        try sink(bytes)
        bytes.removeAll(keepingCapacity: true)
    }
}
