import Containers
import CredentialReports
import Credentials
import Cryptography
import Encodings
import Inputs

/// SMART Health Links. The first byte chooses what the rest is: the text of a link, a payload, a manifest, an encrypted file, or the
/// content of a file.
enum LinkTarget: FuzzTarget {
    static let name = "link"

    static func run(_ bytes: [UInt8]) {
        guard let kind = bytes.first else { return }
        let rest = Array(bytes.dropFirst())
        switch kind {
        case UInt8(ascii: "t"): read(rest)
        case UInt8(ascii: "p"): read(Array("shlink:/\(Base64URL.encode(rest))".utf8))
        case UInt8(ascii: "m"): readManifest(rest)
        case UInt8(ascii: "e"): open(rest)
        case UInt8(ascii: "c"): recognise(rest)
        default: return
        }
    }

    private static func read(_ text: [UInt8]) {
        let link = HealthLink(text)
        require((link.target == nil) == !link.problems.isEmpty, "a link is refused if and only if it has an error")
        require((link.target == nil) == (link.identity == nil), "a link that leads somewhere has an identity")
        if let target = link.target {
            require(target.key.count == AES256GCM.keyLength, "a link has a key of 32 bytes")
            require(target.url.utf8.starts(with: "https://".utf8), "a link has an https address")
            require(!(link.needsPasscode && link.isDirect), "P and U exclude each other")
        }
        let opening = LinkClient.Opening(unfollowed: link)
        let opened = OpenedLink(opening, index: 0, source: "fuzz", recipient: "fuzz")
        let inspection = Inspection.link(opened, opening)
        ReportOracle.isInert(InspectionFormat.text.report(to: Destination(isTerminal: false)).text(of: [inspection]))
        let document = InspectionFormat.json.report(to: Destination(isTerminal: true)).text(of: [inspection])
        ReportOracle.isInert(document)
        _ = ReportOracle.json(document)
    }

    private static func readManifest(_ bytes: [UInt8]) {
        guard let manifest = try? LinkClient.Manifest(bytes) else { return }
        require(manifest.entries.count <= LinkClient.Manifest.mostFiles, "a manifest has at most 100 files")
        for entry in manifest.entries {
            guard case .success(.location(let url)) = entry.content else { continue }
            require(url.utf8.starts(with: "https://".utf8), "a location is an https address")
        }
    }

    private static func open(_ text: [UInt8]) {
        var key = [UInt8](repeating: 7, count: AES256GCM.keyLength)
        guard let inflater = try? Inflater() else { return }
        let opener = FileOpener(key: SecretBytes(&key), inflater: inflater)
        var budget = ContainerBudget()
        guard let (plaintext, _) = try? opener.open(text, within: &budget) else { return }
        require(opened.contains(Array(plaintext.hexadecimal.utf8)), "only what was encrypted with the key opens")
        require(budget.size == Bounds.containerSize - plaintext.count, "what is opened counts")
        recognise(plaintext)
    }

    /// The contents that were encrypted with the key above, in hexadecimal (seeds.py).
    private static let opened = FixedPolicy.lines(of: "opened-files.txt")

    private static func recognise(_ bytes: [UInt8]) {
        let type: UTF8Text = "application/fhir+json;fhirVersion=4.0.1"
        guard let file = try? LinkClient.Opening.File(bytes, encryptedType: type) else { return }
        require(file.summary.kind != .apiAccess || file.bytes == [], "an access token is not kept")
        _ = file.json
    }
}
