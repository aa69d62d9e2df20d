import CredentialReports
import Credentials
import Testing

/// Tests/Sessions/status.md has what `status` prints of an installation.
@Suite struct StatusReportTests {
    private static let now = NumericDate(sinceEpoch: .seconds(1_780_000_000))

    private static func report(_ items: [StatusItem]) -> StatusReport {
        StatusReport(items, at: now) { "Ask about \($0)." }
    }

    private static func lines(_ items: [StatusItem]) -> [String] {
        String(decoding: report(items).text(to: Destination()), as: UTF8.self).split(separator: "\n").map(String.init)
    }

    private static func list(_ condition: StatusItem.Condition, _ source: StatusItem.Source, isRequired: Bool = false)
        -> StatusItem
    {
        var item = StatusItem(.vci, condition, source: source, "a list")
        item.isRequired = isRequired
        return item
    }

    /// Only what was asked for is missing.
    @Test func verdictSaysWhatIsMissing() {
        #expect(
            Self.lines([Self.list(.missing, .user), Self.list(.missing, .system)]) == [
                "ok: everything works, and nothing that was asked for is missing or old",
                "vci       absent    not installed. Ask about vci.",
            ])
        #expect(
            Self.lines([Self.list(.missing, .user, isRequired: true), Self.list(.missing, .system, isRequired: true)])
                == ["not ok: vci missing", "vci       missing   not installed. Ask about vci."])
        #expect(
            Self.lines([Self.list(.ok, .user, isRequired: true), Self.list(.missing, .system, isRequired: true)]).last
                == "vci       ok        user: a list")
        #expect(
            Self.lines([Self.list(.ok, .user, isRequired: true), Self.list(.unusable, .system, isRequired: true)]).first
                == "ok, except: vci unusable")
        #expect(Self.lines([StatusItem(.fetch, .missing, "no program")]).first == "not ok: fetch missing")
        #expect(Self.report([StatusItem(.scan, .fault, "no")]).lines.contains { $0.isProblem && $0.isFault })
    }

    /// The name of a list is a stranger's text.
    @Test func metricsHaveNoLinesOfStrangers() {
        var item = StatusItem(.codes, .old, source: .user, "a list")
        item.list = "a\"b\\c\nd"
        item.date = "2026-05-28"
        let text = String(decoding: Self.report([item]).prometheus(exitCode: 20), as: UTF8.self)
        let labels = #"{name="codes",list="a\"b\\c\nd",source="user"}"#
        #expect(
            text.split(separator: "\n").filter { !$0.hasPrefix("# ") } == [
                "shcverify_exit_code 20", "shcverify_usable\(labels) 1",
                "shcverify_list_age_seconds\(labels) \(1_780_000_000 - 1_779_926_400)",
            ])
    }
}
