import Credentials
import Encodings
import HTTPSFetch
import HealthCertificates

/// WHO's list with its proof: only what the listed key has signed verifies, and what is signed is made of whole sentences.
enum ListProofTarget: FuzzTarget {
    static let name = "list-proof"

    /// The key of the test vectors, for every list.
    private static let keys: ListKeys = {
        guard let keys = try? ListKeys(FixedPolicy.vector("gdhcn/keys/prod.jwk.json")) else {
            fatalError("the vectors have the key")
        }
        return keys
    }()

    /// The octets that the vectors' key has signed. Found by another implementation (seeds.py).
    private static let signed = FixedPolicy.lines(of: "signed-lists.txt")

    static func run(_ bytes: [UInt8]) {
        readKeys(bytes)
        checkAddress(of: UTF8Text(decoding: bytes))
        guard let document = try? JSONDocument.parse(bytes) else { return }
        let reader = ListReader(document)
        require((reader.signed == nil) || reader.problems.isEmpty, "a list with a problem is not signed")
        for problem in reader.problems.prefix(4) { require(!problem.description.isEmpty, "there is a reason") }
        if let signed = reader.signed { check(signed) }
        switch ListProof(of: document).outcome(by: keys) {
        case .verified(let list):
            require(
                reader.signed.map { Self.signed.contains(Array($0.signedOctets.hexadecimal.utf8)) } == true,
                "the key signed this")
            require(list.statement.signer != nil && list.statement.created != nil, "it is known who signed, and when")
        case .unchecked, .noKey: fatalError("a key was given that counts for every list")
        case .uncheckable, .absent, .invalid: break
        }
    }

    private static func readKeys(_ bytes: [UInt8]) {
        let signer = UTF8Text("did:web:tng-cdn.who.int:v2:trustlist")
        do throws(Malformed) {
            let keys = try ListKeys(bytes)
            let document = keys.didDocument(of: signer)
            guard let again = try? ListKeys(didDocument: document, of: signer) else { return }
            require(again.didDocument(of: signer) == document, "a document that is written is read again")
        } catch {
            require(!error.description.isEmpty, "there is a reason")
        }
    }

    /// A list chooses its signer, so only the addresses of WHO may be fetched, and those of the private network.
    private static func checkAddress(of signer: UTF8Text) {
        let policy = AddressPolicy(allowsPrivateNetwork: false)
        guard let address = DIDAddress(signer, isPrivateHost: { policy.refusal(ofHost: $0) != nil }) else { return }
        let url = try? HTTPSURL(address.url)
        require(url?.text.utf8.elementsEqual(address.url.utf8) != false, "an address has one reading")
        guard let url else { return require(address.isPrivate, "WHO's addresses are https URLs") }
        require(address.isPrivate == (policy.refusal(ofHost: url.host) != nil), "the host that is judged is fetched")
        require(address.isPrivate || url.host.hasSuffix(".who.int"), "only WHO's addresses are public")
    }

    private static func check(_ signed: ListReader.Signed) {
        for sentences in [signed.document, signed.proof] {
            let lines = sentences.split(separator: 0x0A, omittingEmptySubsequences: false).dropLast()
            require(
                sentences.last == 0x0A && lines.allSatisfy { $0.suffix(2).elementsEqual(" .".utf8) },
                "sentences are whole")
            require(
                zip(lines, lines.dropFirst()).allSatisfy { $0.lexicographicallyPrecedes($1) },
                "sentences are sorted, each once")
            require(sentences.allSatisfy { $0 == 0x0A || (0x20...0x7E).contains($0) }, "sentences are printable ASCII")
        }
        require(signed.signedOctets.contains(UInt8(ascii: ".")), "a header, a dot and two digests are signed")
    }
}
