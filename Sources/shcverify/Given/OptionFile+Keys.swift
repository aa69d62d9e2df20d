import ArgumentParser
import Credentials
import Cryptography
import Encodings
import HealthCertificates
import Inputs
import SMARTHealthCards

extension OptionFile {
    /// Reads the files of `--jwks`: key sets, which may be of signers too, and signer certificates.
    ///
    /// - Returns: the keys of cards, the signers, and the first file that has keys of cards and does not say whose.
    static func keys(
        _ values: [String], observedBy observer: ValueObserver = .nobody
    ) throws -> (keys: GivenKeys, signers: [AdmittedList], ownerless: String?) {
        var keys = GivenKeys()
        var signers: [AdmittedList] = []
        var ownerless: String?
        for value in values {
            var path = value[...]
            var issuer: Issuer?
            if value.hasPrefix("https://") {
                guard let equals = value.lastIndex(of: "=") else {
                    throw ValidationError("--jwks takes FILE, or ISS=FILE; \(value) has no =FILE.")
                }
                let url = String(value[..<equals])
                issuer = try Issuer(url, option: "--jwks")
                path = value[value.index(after: equals)...]
            }
            let bytes = try read(String(path), option: "--jwks", limit: Bounds.keySetSize)
            let set: JSONValue
            switch try listFile(bytes, String(path), option: "--jwks") {
            case .certificates(let text) where PEM.wordsWithoutCertificate(text) != nil:
                throw unusable(
                    String(path), option: "--jwks",
                    "it holds \(PEM.wordsWithoutCertificate(text) ?? "no key"); a key set (JWKS) is needed, in which each key has its ID "
                        + "(kid)\(issuer == nil ? ", or the certificates of signers" : "")")
            case .certificates where issuer == nil:
                observer("--jwks", bytes, path: String(path), issuer: issuer)
                let list = try signerList(.certificates(bytes), String(path), option: "--jwks", from: .jwksFile)
                if let list = AdmittedList(keys: list) { signers.append(list) }
                keys.addSigners()
                continue
            case .certificates:
                throw unusable(
                    String(path), option: "--jwks",
                    "it is certificates, which are for no issuer of cards; a key set (JWKS) is needed")
            case .signed:
                throw unusable(
                    String(path), option: "--jwks", "it is a signed list, as the German trust list is, and no key set")
            case .json(let document): set = document
            }
            do throws(JWKSetError) {
                let hadKeys = keys.hasCardKeysForAnyIssuer
                keys.add(try JWKSet(set, of: bytes), for: issuer)
                if !hadKeys, keys.hasCardKeysForAnyIssuer { ownerless = String(path) }
            } catch {
                let advice = error == .noKeys(looksLikeSingleKey: false) ? DocumentKind.advice(on: set) : nil
                throw unusable(String(path), option: "--jwks", advice ?? error.description)
            }
            // Keys that are given for one issuer of cards are for nothing else.
            let list = issuer == nil ? try? SignerList(keySet: set) : nil
            if let list, !list.isOfCardIssuer, let keys = AdmittedList(keys: list) { signers.append(keys) }
            observer(
                "--jwks", bytes, path: String(path), issuer: issuer, as: list?.isOfSigners == true ? nil : .jwks, set)
        }
        return (keys, signers, ownerless)
    }

    /// Reads the files of `--crl`: revocation lists of cards, and batches of revoked EU certificates.
    static func revocations(
        _ paths: [String], observedBy observer: ValueObserver = .nobody
    ) throws -> (lists: [RevocationList], batches: [RevocationBatch]) {
        var lists: [RevocationList] = []
        var batches: [RevocationBatch] = []
        for path in paths {
            let bytes = try read(path, option: "--crl", limit: Bounds.revocationListSize)
            let document: JSONValue
            let kind: DocumentKind
            do {
                document = try PublishedList.parse(file: bytes, maximumSize: Bounds.revocationListSize)
                kind = try DocumentKind(of: document, among: DocumentKind.revocations)
                if kind == .certificateRevocations {
                    batches.append(try RevocationBatch(document))
                } else {
                    lists.append(try RevocationList(document))
                }
            } catch {
                throw unusable(path, option: "--crl", "\(error)")
            }
            observer("--crl", bytes, path: path, as: kind == .cardRevocations ? .crl : nil, document)
        }
        return (lists, batches)
    }
}
