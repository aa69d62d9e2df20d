import Credentials
import FHIR
import SMARTHealthLinks
import StrictJSON

/// A link as text for people, with the content of its files if it was followed.
struct LinkInspectionText {
    let palette: Palette
    let width: Int?
    let repeatsProblems: Bool
    /// The words that every part contains.
    let notice: String

    func lines(_ inspection: LinkInspection) -> [String] {
        let link = inspection.link
        var lines = [
            palette(.bad, "\(notice): nothing in a link is signed"),
            "Link: \(TerminalText.printable(link.source)) (\(link.form), \(link.scheme):/…)",
        ]
        if let failure = inspection.failure, repeatsProblems {
            lines.append("Problem: \(failure.code.rawValue): \(TerminalText.printable(failure.message))")
        }
        let reading = inspection.reading
        lines.append("URL: " + (reading.url.map { TerminalText.printable($0, upTo: 2048) } ?? "none"))
        lines.append("Flags: " + Self.words(forFlags: reading.flags))
        lines.append("Label: " + (reading.label.map { TerminalText.printable($0, upTo: 300) } ?? "none"))
        lines.append("Expires: " + (reading.expires.map { $0.calendarText ?? "never" } ?? "not given"))
        lines.append("Version: " + (reading.version.map { "\($0)" } ?? "not readable"))
        // The key itself is never shown.
        lines.append("Key: " + (reading.keyLength.map { "there, \($0) bytes (not shown)" } ?? "missing"))
        if !reading.unknownMembers.isEmpty {
            let names = reading.unknownMembers.prefix(20).map { TerminalText.printable($0, upTo: 60) }
            lines.append("Unknown members: " + names.joined(separator: ", "))
        }
        if !link.warnings.isEmpty {
            lines += ["", palette(.heading, "Warnings")]
            lines += link.warnings.map { "  \($0.code.rawValue): \(TerminalText.printable($0.message))" }
        }
        guard inspection.isFollowed, inspection.link.reason?.code ?? .noSignedContent == .noSignedContent else {
            return lines
        }
        lines += ["", "Opened as \(TerminalText.printable(link.recipient, upTo: 200)): \(link.words)"]
        for (number, file) in link.files.enumerated() {
            lines += ["", heading(of: file, number: number + 1, of: link.files.count)]
            if let reason = file.reason {
                lines.append("Problem: \(reason.code.rawValue): \(TerminalText.printable(reason.message))")
            }
            if let content = inspection.contents[number] { lines += self.lines(content, file) }
        }
        return lines
    }

    private func heading(of file: OpenedLink.File, number: Int, of count: Int) -> String {
        let notes = [
            file.delivery?.rawValue, file.contentType.map { TerminalText.printable($0, upTo: 100) },
            file.status.map { TerminalText.printable($0, upTo: 40) },
            file.lastUpdated.map { "last updated \(TerminalText.printable($0, upTo: 40))" },
        ].compactMap(\.self)
        return palette(.heading, "File \(number) of \(count)")
            + (notes.isEmpty ? "" : " (\(notes.joined(separator: ", ")))") + palette(.bad, " \(notice)")
    }

    private func lines(_ content: LinkContent, _ file: OpenedLink.File) -> [String] {
        switch content.kind {
        case .healthCard:
            return ["Health cards: \(file.cardCount), shown below. \"shcverify verify\" says whether they are genuine."]
        case .apiAccess:
            return [
                "An access token, which is neither used nor shown.",
                "Audience: " + (file.audience.map { TerminalText.printable($0, upTo: 300) } ?? "not given"),
                "Scope: " + (file.scope.map { TerminalText.printable($0, upTo: 300) } ?? "not given"),
            ]
        case .fhir, .other: break
        }
        guard let value = content.json else {
            return ["Content: \(content.bytes.count) bytes, not shown: they are no JSON, or hold a secret"]
        }
        var lines: [String] = []
        if file.resourceType == UTF8Text("Bundle") {
            let contents = CardContents(FHIRBundle(value), fhirVersion: file.fhirVersion, names: .builtIn)
            for subject in contents.subjects {
                lines.append("Name: " + (subject.name.map { TerminalText.printable($0, upTo: 200) } ?? "not given"))
            }
            if !contents.records.isEmpty {
                lines += [palette(.heading, "Records (\(notice))")]
                lines += RecordTable(contents.records, subjects: contents.subjects, width: width).lines(
                    palette: palette)
            }
        }
        var writer = JSONWriter(layout: .indented, escapesUnprintable: true)
        writer.value(value)
        return lines + [palette(.heading, "Content (\(notice))"), String(decoding: writer.bytes, as: UTF8.self)]
    }

    /// The flags with their meanings: `LP (long-term, passcode)`.
    private static func words(forFlags flags: UTF8Text?) -> String {
        guard let flags, !flags.isEmpty else { return "none" }
        let meanings = flags.utf8.prefix(20).compactMap { letter -> String? in
            switch letter {
            case UInt8(ascii: "L"): "long-term"
            case UInt8(ascii: "P"): "needs a passcode"
            case UInt8(ascii: "U"): "one file, fetched directly"
            default: nil
            }
        }
        return TerminalText.printable(flags, upTo: 40)
            + (meanings.isEmpty ? "" : " (\(meanings.joined(separator: ", ")))")
    }
}
