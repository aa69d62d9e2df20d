import Containers
package import Credentials
package import Encodings
import Inputs

/// The text of a SMART Health Link.
struct HealthLinkSubject: Sendable {
    let document: Document
    let reading: LinkReading
    let policy: LintPolicy
    /// Whether the link stands in a certificate, which has rules of its own on how it is written.
    var isInCertificate = false
}

extension Rule {
    /// The rules of SMART Health Links.
    static let linkRules: [Rule] =
        [
            linkText, linkForm, linkEncoding, linkPayload, linkAddress, linkMembers, linkExpiry, linkManifest, linkFile,
            linkContentType, linkStatus, linkNotOpened,
        ] + patientAppLinkRules

    static let linkText = Rule(
        "invalid-shlink", "text", .links,
        requirement:
            "A SMART Health Link is shlink:/ and its payload in base64url, alone or after the # of a viewer's URL.",
        remedy: "Encode the minified JSON of the payload in base64url without padding, and write shlink:/ before it.",
        check: .link { $0.problems(.text) })

    static let linkForm = Rule(
        "invalid-shlink", "form", .links, severity: .warning,
        requirement: "A viewer's URL ends with #, and shlink:/ in lower case follows without other text.",
        remedy: "Write shlink:/ right after the #. In a query, the key is sent to the viewer's server.",
        check: .link { $0.problems(warnedAs: .linkForm) })

    static let linkEncoding = Rule(
        "invalid-shlink", "encoding", .links, severity: .warning,
        requirement: "The payload of a link is minified JSON in base64url without padding, and so is the key in it.",
        remedy: "Use a base64url encoder without padding, and minify the JSON.",
        check: .link { $0.problems(warnedAs: .linkEncoding) })

    static let linkPayload = Rule(
        "shlink-payload-error", "payload", .links,
        requirement:
            "The payload of a link is a JSON object with url and key. The key has 32 bytes. exp is a number, flag and label are "
            + "strings, v is 1, and the flags P and U exclude each other.",
        remedy: "Correct the member that the finding names.",
        check: .link { $0.problems(.payload) + $0.problems(.version) })

    static let linkAddress = Rule(
        "shlink-not-https-url", "url", .links,
        requirement: "The url of a link is an https URL.",
        remedy: "Serve the manifest and the files by https.",
        check: .link { $0.problems(.address) })

    static let linkMembers = Rule(
        "shlink-payload-error", "members", .links, severity: .warning,
        requirement:
            "The url of a link has at most 128 characters, its label at most 80. The flags are in alphabetical order, exp is in "
            + "seconds, and neither exp nor v is a string.",
        remedy: "Correct the member that the finding names.",
        check: .link { $0.problems(warnedAs: .linkMember) })

    static let linkExpiry = Rule(
        "expiration-error", "link", .links, severity: .warning,
        requirement: "A link that is handed out is still valid.",
        remedy: "Make a new link.",
        check: .link { link in
            guard let expires = link.reading.expires, expires <= link.policy.now else { return [] }
            return .found("the link has expired at \(expires)")
        })

    /// The caller of `Linter` finds what is wrong with manifests and files, and adds the findings.
    static let linkManifest = Rule(
        "shlink-manifest-error", "manifest", .links,
        requirement:
            "The server answers with a manifest: a JSON object with the array files, whose entries have embedded or location.",
        remedy: "Correct the manifest as the finding says.",
        check: .input { _ in [] })

    static let linkFile = Rule(
        "shlink-jwe-error", "file", .links,
        requirement:
            "A file of a link is a compact JWE with alg dir, enc A256GCM, an initialization vector of 12 bytes and, if it is "
            + "compressed, zip DEF. The link's key opens it.",
        remedy: "Encrypt the file with a JOSE library and the key that is in the link.",
        check: .input { _ in [] })

    static let linkContentType = Rule(
        "shlink-manifest-error", "content-type", .links, severity: .warning,
        requirement: "contentType and cty say what the file is.",
        remedy: "Write application/smart-health-card, application/fhir+json or application/smart-api-access.",
        check: .input { _ in [] })

    static let linkStatus = Rule(
        "shlink-manifest-error", "status", .links, severity: .warning,
        requirement: "A link that is handed out has content that is valid.",
        remedy: "Make a new link, or set the status to finalized or can-change.",
        check: .input { _ in [] })

    static let linkNotOpened = Rule(
        "shlink-manifest-error", "not-opened", .links,
        requirement: "The server of a link answers.",
        remedy: "Correct what the finding names, and lint the link again.",
        check: .input { _ in [] })
}

extension HealthLinkSubject {
    fileprivate func problems(_ kind: LinkReading.Problem.Kind) -> [Problem] {
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
            let subject = HealthLinkSubject(document: document, reading: LinkReading(document.text), policy: policy)
            apply(RuleCheck.link, to: subject, in: document, section: section)
            guard subject.reading.link != nil, place != .link else { continue }
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
    ///   - shared: the FHIR resource in each file that nobody signed, with the content type (cty) that the encrypted file states.
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
        // Without a profile about it, what nobody signed is not looked at.
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
