import Containers
package import Credentials
package import Encodings
import Inputs

/// The text of a SMART Health Link.
struct HealthLinkSubject: Sendable {
    let document: Document
    let reading: HealthLink
    let policy: LintPolicy
    /// Whether the link is in a certificate, which has rules of its own on how it is written.
    var isInCertificate = false
}

extension Rule {
    /// The rules of SMART Health Links.
    static let linkRules: [Rule] =
        [
            linkText, linkForm, linkEncoding, linkPayload, linkAddress, linkMembers, linkExpiry, linkManifest, linkFile,
            linkContentType, linkStatus, linkNotOpened,
        ] + patientAppLinkRules

    static let linkText = Rule("invalid-shlink/text", RuleCheck.link) { $0.problems(.text) }

    static let linkForm = Rule("invalid-shlink/form", RuleCheck.link) { $0.problems(warnedAs: .linkForm) }

    static let linkEncoding = Rule("invalid-shlink/encoding", RuleCheck.link) { $0.problems(warnedAs: .linkEncoding) }

    static let linkPayload = Rule("shlink-payload-error/payload", RuleCheck.link) {
        $0.problems(.payload) + $0.problems(.version)
    }

    static let linkAddress = Rule("shlink-not-https-url/url", RuleCheck.link) { $0.problems(.address) }

    static let linkMembers = Rule("shlink-payload-error/members", RuleCheck.link) { $0.problems(warnedAs: .linkMember) }

    static let linkExpiry = Rule("expiration-error/link", RuleCheck.link) { link in
        guard let expires = link.reading.expires, expires <= link.policy.now else { return [] }
        return .found("the link has expired at \(expires)")
    }

    /// The caller of `Linter` finds what is wrong with manifests and files, and adds the findings.
    static let linkManifest = Rule("shlink-manifest-error/manifest", RuleCheck.input)

    static let linkFile = Rule("shlink-jwe-error/file", RuleCheck.input)

    static let linkContentType = Rule("shlink-manifest-error/content-type", RuleCheck.input)

    static let linkStatus = Rule("shlink-manifest-error/status", RuleCheck.input)

    static let linkNotOpened = Rule("shlink-manifest-error/not-opened", RuleCheck.input)
}

extension HealthLinkSubject {
    fileprivate func problems(_ kind: HealthLink.Problem.Kind) -> [Problem] {
        reading.problems.filter { $0.kind == kind }.map { Problem($0.message) }
    }

    fileprivate func problems(warnedAs code: CredentialWarning.Code) -> [Problem] {
        guard !isInCertificate || code == .linkMember else { return [] }
        return reading.warnings.filter { $0.code == code }.map { Problem($0.message) }
    }
}

// MARK: Reading

extension Linter {
    /// Checks the links of an input, one in each line. Those whose form is correct are collected in `links`.
    mutating func lintLinks(_ lines: [ArraySlice<UInt8>], source: String, input: [UInt8], section: Int) {
        for line in lines {
            guard linksOfInput < Bounds.links else {
                guard linksOfInput == Bounds.links else { return }
                linksOfInput += 1
                let whole = Document(source: source, layer: .link, text: [])
                return addBound(
                    "the input has more than \(Bounds.links) links; the rest was not checked", in: whole, to: section)
            }
            linksOfInput += 1
            let document = Document(source: source, layer: .link, text: Array(line), in: (input, line.startIndex))
            let subject = HealthLinkSubject(document: document, reading: HealthLink(document.text), policy: policy)
            apply(RuleCheck.link, to: subject, in: document, section: section)
            guard subject.reading.target != nil, place != .link else { continue }
            links.append(PresentedContainer(.link, source: source, text: document.text, input: inputCount))
        }
    }

    /// Says of each link in the inputs that nobody has opened it.
    ///
    /// - Parameter disabledReason: why, in words that follow a colon.
    package mutating func addUnopenedLinks(because disabledReason: String) {
        for link in links {
            currentInput = link.input
            let document = Document(source: link.source, layer: .link, text: [])
            add(
                [Problem("the link was not followed: \(disabledReason)", severity: .unchecked)], of: .linkNotOpened,
                in: document, to: newSection())
        }
    }

    /// Checks the files of a link that a patient's app has made, if the profile was asked for.
    private mutating func lintShared(
        _ opened: OpenedLink, _ shared: [(file: Int, bytes: [UInt8], contentType: UTF8Text?)], _ document: Document,
        _ section: Int
    ) {
        guard policy.profiles.contains(.patientApp) else { return }
        for (number, file) in opened.files.enumerated() where file.reason == nil && file.resourceType != "Bundle" {
            add(
                [Problem("file \(number + 1) of the link is no FHIR Bundle")], of: .patientAppContent, in: document,
                to: section)
        }
        for content in shared where opened.files[content.file].resourceType == "Bundle" {
            let type = content.contentType.map { MediaType($0).essence }
            guard type?.elementsEqual("application/fhir+json".utf8) != true else { continue }
            let found = type == nil ? "no content type (cty)" : "another content type (cty) than application/fhir+json"
            add(
                [Problem("file \(content.file + 1) of the link has \(found)")], of: .patientAppContentType,
                in: document,
                to: section)
        }
    }

    /// Adds what was found when a link was opened.
    ///
    /// - Parameters:
    ///   - opened: the link.
    ///   - contents: the content of each file with health cards, by its index.
    ///   - documents: the texts of each picture or PDF with health cards.
    ///   - shared: the FHIR resource in each unsigned file, with the content type (cty) that the encrypted file states.
    ///   - cutFile: the first file that is not in `contents` because the input has too many cards; nil if there is none.
    ///   - input: the number of the input with the link.
    package mutating func add(
        _ opened: OpenedLink, contents: [(file: Int, bytes: [UInt8])],
        documents: [(file: Int, document: ScannedDocument)] = [],
        shared: [(file: Int, bytes: [UInt8], contentType: UTF8Text?)] = [], cutFile: Int? = nil, of input: Int
    ) {
        currentInput = input
        linksOfInput = 0
        let section = newSection()
        let document = Document(source: opened.source, layer: .link, text: [])
        // That a link has expired is found without opening it.
        if let reason = opened.reason, reason.code != .noSignedContent, reason.code != .linkExpired {
            let isUnasked = reason.isUnasked || [.passcodeRequired, .passcodeRejected].contains(reason.code)
            let rule = reason.code == .malformedManifest ? Rule.linkManifest : .linkNotOpened
            add([Problem(reason.message, severity: isUnasked ? .unchecked : nil)], of: rule, in: document, to: section)
        }
        for (number, file) in opened.files.enumerated() {
            guard let reason = file.reason else { continue }
            let rule: Rule =
                switch reason.code {
                case .malformedManifest, .malformedInput: .linkManifest
                case .linkUnavailable: .linkNotOpened
                default: .linkFile
                }
            add([Problem("file \(number + 1): \(reason.message)")], of: rule, in: document, to: section)
        }
        for warning in opened.warnings {
            switch warning.code {
            case .contentTypeMismatch:
                add([Problem(warning.message)], of: .linkContentType, in: document, to: section)
            case .linkStatus: add([Problem(warning.message)], of: .linkStatus, in: document, to: section)
            default: break
            }
        }
        if let cutFile {
            addBound(
                "file \(cutFile + 1) and those after it were not checked: the input has more than \(Bounds.cards) cards",
                in: document, to: section)
        }
        lintShared(opened, shared, document, section)
        place = .link
        defer { place = .input }
        // Without a profile about it, unsigned content is not checked.
        if !policy.ownProfiles.isEmpty || policy.profiles.contains(where: { $0 == .patientApp || $0 == .insuranceCard })
        {
            for content in shared where opened.files[content.file].resourceType == "Bundle" {
                add(content.bytes, source: "\(opened.source)#file\(content.file + 1)", as: .bundle)
            }
        }
        for content in contents { add(content.bytes, source: "\(opened.source)#file\(content.file + 1)") }
        for content in documents { add(content.document, source: "\(opened.source)#file\(content.file + 1)") }
    }
}
