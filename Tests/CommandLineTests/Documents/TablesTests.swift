import Foundation
import TestSupport
import Testing

/// docs/tables.md, and the columns of `schema --format duckdb`, with DuckDB.
@Suite(.timeLimit(.minutes(30))) struct TablesTests {
    /// What `.ci/deep duckdb` installs.
    private static let programs = Paths.root.appendingPathComponent(".build/duckdb/bin").path
    private static let hasDuckDB = FileManager.default.isExecutableFile(atPath: "\(programs)/duckdb")

    @Test(.enabled(if: hasDuckDB, "needs DuckDB: .ci/deep duckdb")) func everyCommandDoesWhatThePageSays() async throws
    {
        try await ReadmeTests.runCommands(of: ReadmeTests.tables, programs: Self.programs)
    }

    /// Real output fits the columns, with all values.
    @Test(.enabled(if: hasDuckDB, "needs DuckDB: .ci/deep duckdb")) func columnsHoldWhatIsPrinted() async throws {
        let script = Paths.root.appendingPathComponent("Tests/TestSupport/tables.py").path
        let result = try await Shcverify.run(
            ["-B", script, Shcverify.path, Paths.vectors.path], executable: "\(Self.programs)/python")
        #expect(result.exitCode == 0, "\(result.stdout)\(result.stderr)")
        #expect(result.stdout.split(separator: "\n").count == 4)
    }
}
