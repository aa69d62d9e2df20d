import ArgumentParser
import Bulk
import Credentials
import Directories
import Encodings
import Glibc
import LintReports
import Processes
import SystemPackage

/// A file that an option names and that affects verdicts: keys, trusted issuers, anchors, revocation lists, code lists, roots of TLS.
struct GivenFile: Hashable {
    let option: String
    let path: String

    /// Looks for files that users other than this one and root could have written. Anyone who can write them decides the verdicts.
    ///
    /// - Parameter isTrustRequired: whether such a file ends the command. If not, it causes a warning.
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

/// Gets the values of options, byte for byte.
struct ValueObserver {
    /// A value of an option.
    struct Given {
        let option: String
        /// Makes the content when it is needed, because that of an installed list may be large.
        let content: () -> [UInt8]
        /// The path that the user named; nil if the value is not from a named file.
        let path: String?
        /// The only issuer that the value applies to; nil if it applies to all.
        let issuer: Issuer?
        /// Whether the content is that of a file.
        let isFile: Bool
        /// How lint reads the file; nil if it does not read it.
        let form: InputForm?
        /// The content as it was parsed; nil if it is not JSON, or was parsed elsewhere.
        let json: JSONValue?
    }

    let take: (Given) -> Void

    init(_ take: @escaping (Given) -> Void) { self.take = take }

    static var nobody: ValueObserver { ValueObserver { _ in } }

    func callAsFunction(
        _ option: String, _ content: @escaping @autoclosure () -> [UInt8], path: String? = nil, issuer: Issuer? = nil,
        isFile: Bool = true, as form: InputForm? = nil, _ json: JSONValue? = nil
    ) {
        take(
            Given(
                option: option, content: content, path: path, issuer: issuer, isFile: isFile, form: form, json: json))
    }
}

/// Reads the file of `--baseline`: what an earlier run of `lint` printed as JSON, as SARIF or as JSON lines.
enum BaselineFile {
    private static let option = "--baseline"

    /// - Throws: `CommandFailure` if the file cannot be read or is of another kind.
    static func read(_ path: String) throws -> LintBaseline {
        var baseline = LintBaseline()
        // A report of JSON lines can be far larger than memory. Any other report is one document, whose first line is not a JSON value.
        let isLines: Bool
        do throws(InputReader.Failure) {
            let file = try InputReader.open(path)
            defer { try? file.close() }
            isLines = try addLines(of: file, to: &baseline)
        } catch {
            throw OptionFile.unreadable(path, option: option, error)
        }
        if isLines { return baseline }
        let bytes = try OptionFile.read(path, option: option, limit: Bounds.directorySize)
        var whole = LintBaseline()
        guard let document = try? JSONDocument.parse(bytes, maximumDepth: Bounds.nesting), whole.add(document) else {
            throw OptionFile.unusable(
                path, option: option,
                "it is not what \"lint --format json\", \"lint --format sarif\" or \"lint --lines\" prints")
        }
        return whole
    }

    /// - Returns: whether each line is a finding.
    private static func addLines(
        of file: FileDescriptor, to baseline: inout LintBaseline
    ) throws(InputReader.Failure) -> Bool {
        var reader = LineReader(file, endsAtLongLine: true)
        while let block = try reader.next() {
            for line in block.lines {
                guard let range = line.range else { return false }
                let text = block.bytes[range].trimmingWhiteSpace()
                guard !text.isEmpty else { continue }
                guard let finding = try? JSONDocument.parse(Array(text), maximumDepth: Bounds.nesting),
                    baseline.add(finding)
                else { return false }
            }
        }
        return true
    }
}

/// A secret that the user gives in a file or in the environment, but never as an argument, because other users can see arguments.
struct SecretInput {
    /// The option with the file.
    let option: String
    /// The environment variable that is read if the option is not given.
    let variable: String
    /// Whether bytes can be such a secret.
    let isRight: (ArraySlice<UInt8>) -> Bool

    private static let longestFile = 64 << 10

    /// The first line of a file, without a byte-order mark. The rest of the file is overwritten in memory too.
    ///
    /// - Parameter wrong: the error if it cannot be such a secret.
    func secret(ofFile path: String, else wrong: @autoclosure () -> any Error) throws -> SecretBytes {
        var content: [UInt8]
        do throws(InputReader.Failure) {
            content = try InputReader.read(path, limit: Self.longestFile)
        } catch {
            // The content is not repeated, because it could be the secret itself.
            throw CommandFailure(.unreadable, "the file of \(option) cannot be read: \(error.message)")
        }
        let start = content.prefix(3).elementsEqual([0xEF, 0xBB, 0xBF]) ? 3 : 0
        let range = start..<(content[start...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? content.count)
        // No slice may exist when the content is overwritten. Otherwise a copy would be overwritten instead.
        let canBe = isRight(content[range])
        var line = Array(content[range])
        _ = SecretBytes(&content)
        let secret = SecretBytes(&line)
        guard canBe else { throw wrong() }
        return secret
    }

    /// The secret in the environment; nil if there is none.
    ///
    /// - Parameter wrong: the error if it cannot be such a secret.
    func secretOfEnvironment(else wrong: @autoclosure () -> any Error) throws -> SecretBytes? {
        guard let text = EnvironmentVariable.value(of: variable), !text.isEmpty else { return nil }
        var bytes = Array(text.utf8)
        let canBe = isRight(bytes[...])
        let secret = SecretBytes(&bytes)
        guard canBe else { throw wrong() }
        return secret
    }
}
