import Conformance
import Containers
import CredentialReports
import Credentials
import Encodings
import Evidence
import HTTPSFetch
import Inputs
import LintReports

/// Lints inputs, and gets the evidence that the linter asks for.
struct LintRun {
    /// A file of an option, which is linted too.
    struct GivenFile {
        let source: String
        let bytes: [UInt8]
        /// The content as it was parsed; nil to parse it.
        let json: JSONValue?
        let kind: InputForm
        /// The issuer of the file; nil if it is not known.
        let issuer: Issuer?
    }

    private var linter: Linter
    private let store: EvidenceStore
    private var inputs: [LintSummary.Input] = []
    private let start = ContinuousClock.now
    /// The number of excluded rules.
    private let waived: Int

    init(policy: LintPolicy, store: EvidenceStore) throws {
        linter = try Linter(policy: policy)
        waived = policy.waivedRules.count
        self.store = store
    }

    /// Reads the inputs of a command line: files and standard input first, then the texts of QR codes.
    ///
    /// - Throws: `InstallationFault` if the scanner is installed, but does not work.
    nonisolated(nonsending) mutating func read(
        _ options: InputOptions, as kind: InputForm?
    ) async throws(InstallationFault) {
        // The texts of QR codes are joined, so that the line in a finding is the number of the option.
        var codes: [[UInt8]] = []
        var search = PictureSearch()
        try await options.forEachInput(limit: Bounds.size(of: kind), by: &search) { input in
            switch input.content {
            case .success(.bytes(let bytes)) where input.isCode && !Self.isNoCard(bytes): return codes.append(bytes)
            case .success(.document(let document, _)): linter.add(document, source: input.source)
            case .success(.bytes(let bytes)): linter.add(bytes, source: input.source, as: kind)
            case .failure(let failure) where failure.code == .pictureUnreadable:
                linter.add(
                    ScannedDocument(form: input.form ?? .picture, problem: failure.message), source: input.source)
            case .failure(let failure):
                return inputs.append(LintSummary.Input(source: input.source, failure: failure.message))
            }
            inputs.append(LintSummary.Input(source: input.source))
        }
        if !codes.isEmpty {
            linter.add(Array(codes.joined(separator: [0x0A])), source: "qr", as: .qr)
            inputs.append(LintSummary.Input(source: "qr"))
        }
        linter.finishReading()
    }

    /// Whether the text of a QR code is no card or part of one as it is, so that it is an input of its own: a link, a certificate, or a text
    /// that has to be set right.
    private static func isNoCard(_ text: [UInt8]) -> Bool {
        switch Recognition(text[...]).kind {
        case .unsupported, .lines, .text(.link): true
        default: ScannedText(text).isUnwrapped || InputForm.certificatePrefix(text[...]) != nil
        }
    }

    /// Opens the links among the inputs, and lints what is in them.
    nonisolated(nonsending) mutating func followLinks(by follower: LinkFollower) async throws {
        let numbers = linter.links.map(\.input)
        try await follower.follow(linter.links) { link, opening in
            let files = opening.files.enumerated()
            let read = files.prefix(opening.cutFile ?? .max)
            let contents = read.flatMap { number, file in file.contents.map { (file: number, bytes: $0) } }
            let documents = read.compactMap { number, file in file.document.map { (file: number, document: $0) } }
            let shared = files.compactMap { number, file in
                file.summary.kind == .fhir
                    ? file.bytes.map { (file: number, bytes: $0, contentType: file.encryptedType) } : nil
            }
            linter.add(
                link, contents: contents, documents: documents, shared: shared, cutFile: opening.cutFile,
                of: numbers[link.index])
        }
        linter.finishReading()
    }

    /// Adds the files of options, except those that are inputs too.
    mutating func add(_ files: [GivenFile]) {
        let read = Set(inputs.map { Array($0.source.utf8) })
        for file in files where !read.contains(Array(file.source.utf8)) {
            linter.add(given: file.bytes, json: file.json, source: file.source, as: file.kind, of: file.issuer)
        }
    }

    /// Downloads card files, one after the other. If one cannot be downloaded, that is a finding.
    mutating func download(_ urls: [String], by network: NetworkOptions) async throws {
        for url in urls {
            linter.add(served: try await Requests(network).cardFile(url))
            inputs.append(LintSummary.Input(source: url))
        }
        linter.finishReading()
    }

    /// Asks live issuers, one after the other. If one cannot be reached, that is a finding.
    mutating func ask(_ issuers: [Issuer], by network: NetworkOptions) async throws {
        for issuer in issuers {
            linter.add(try await Requests(network).answers(of: issuer))
            inputs.append(LintSummary.Input(source: issuer.url))
        }
    }

    /// The findings and the totals, after all necessary evidence was fetched.
    ///
    /// - Parameters:
    ///   - severity: the lowest severity that makes the run fail.
    ///   - baseline: the findings of an earlier run, which are left out.
    /// - Throws: `InstallationFault` if something must be fetched and the installation cannot fetch.
    mutating func finish(
        failingOn severity: Severity, without baseline: LintBaseline
    ) async throws -> ([Finding], LintSummary) {
        var caller = store.caller()
        try await store.judge(by: &caller) { linter.judge(with: $0) }
        let all = linter.findings
        let new = all.filter { $0.standsForOthers || !baseline.contains($0.fingerprint) }
        let summary = LintSummary(
            of: new, inputs: inputs, chosenProfiles: linter.chosenProfiles, waived: waived, failsOn: severity,
            duration: start.duration(to: .now), known: all.count - new.count)
        return (new, summary)
    }
}
