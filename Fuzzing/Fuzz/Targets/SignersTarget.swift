import Credentials
import Cryptography
import Encodings
import HealthCertificates
import Inputs

/// Lists of signers, and batches of revoked certificates.
enum SignersTarget: FuzzTarget {
    static let name = "signers"

    static func run(_ bytes: [UInt8]) {
        do throws(Malformed) {
            let list = try SignerList(bytes)
            let file = try? ListFile(bytes, maximumSize: Bounds.directorySize)
            require(
                file.flatMap { try? SignerList($0) }?.form == list.form, "a list is of the form that is recognised")
            check(list)
        } catch {
            require(!error.description.isEmpty, "an error has a description")
        }
        if let keys = try? SignerList(keySet: bytes) { check(keys) }
        readPEM(bytes)
        if let part = SignedText(bytes) {
            require(
                !part.signature.isEmpty && bytes.suffix(part.text.count).elementsEqual(part.text),
                "the text is the rest")
        }
        do throws(Malformed) {
            _ = try RevocationBatch(bytes)
            let document = try? PublishedList.parse(file: bytes, maximumSize: Bounds.revocationListSize)
            let kind = document.flatMap { DocumentKind.find($0, among: DocumentKind.revocations) }
            require(document != nil && kind != .cardRevocations, "a batch is never taken for a list of cards")
        } catch {
            require(!error.description.isEmpty, "an error has a description")
        }
    }

    private static func readPEM(_ bytes: [UInt8]) {
        let halves = PEM.publicHalvesOfPrivateKeys(in: bytes)
        require(halves.isEmpty || PEM.hasBlock(bytes), "a private key is in a block")
        do throws(Malformed) {
            let keys = try P256PublicKey.publicKeys(inPEM: bytes)
            require(keys.isEmpty || halves.isEmpty, "a file of public keys has no private ones")
        } catch {
            require(!error.description.isEmpty, "an error has a description")
        }
        do throws(Malformed) {
            _ = try P256PublicKey(pem: bytes)
        } catch {
            require(!error.description.isEmpty, "an error has a description")
        }
        do throws(Malformed) {
            let anchors = try CertificateAnchors(pem: bytes)
            require(!anchors.certificates.isEmpty, "anchors are certificates")
            let again = try CertificateAnchors(merging: [anchors])
            require(again.certificates.count == anchors.certificates.count, "anchors are the same together")
        } catch {
            require(!error.description.isEmpty, "an error has a description")
        }
    }

    /// The roots of the test vectors.
    private static let anchors: CertificateAnchors = {
        let pem = ["csca-xa", "csca-xb"].flatMap { FixedPolicy.vector("hcert/trust/\($0).pem") }
        guard let anchors = try? CertificateAnchors(pem: pem) else { fatalError("the vectors have roots") }
        return anchors
    }()

    private static func check(_ list: SignerList) {
        require(list.otherCount >= 0 && list.unreadableCount >= 0, "counts are no less than nothing")
        require(!list.form.words.isEmpty, "each form has words")
        require(!list.hasUsableSigner || !list.signerEntries.isEmpty, "a signer that can be used is a signer")
        require(
            list.form == .certificates || !list.isOfSigners || !list.isOfCardIssuer,
            "the keys of a set are those of signers or of an issuer of cards")
        for (keyID, entry) in list.entries.prefix(16) {
            require(!keyID.isEmpty, "an entry has a key ID")
            guard let signer = entry.signer(keyID: keyID, refusing: []) else { continue }
            if case .failure(let error) = signer.key { require(!error.description.isEmpty, "there is a reason") }
            require(signer.usages.isSubset(of: Set(RecordGroup.allCases)), "usages are groups")
            if list.form == .certificates {
                require(signer.isLabelledByHash, "the key ID of a certificate is its hash")
            }
            if let certificate = signer.certificate {
                let vouching = certificate.isVouchedFor(by: anchors, at: 1_654_041_600) { _ in false }
                if case .failure(let error) = vouching { require(!"\(error)".isEmpty, "there is a reason") }
            }
            _ = signer.description
            _ = signer.isValid(at: FixedHCERTPolicy.signersGiven.now)
            require(signer.objection(toIssuer: "DE")?.isEmpty != true, "an objection has words")
        }
        var signers = TrustedSigners()
        guard let admitted = try? TrustListRules(allowsTestLists: true).admit(list) else { return }
        signers.add(admitted)
        require(!signers.isEmpty, "a list was given")
    }
}
