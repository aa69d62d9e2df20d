import Credentials
import Cryptography
import Encodings
import TestSupport
import Testing

@testable import HealthCertificates

/// Trust lists in all forms (L1 to L5), and what their entries may sign (K3, K5).
@Suite struct SignerListTests {
    private typealias Form = SignerList.Form

    private static let files: [(name: String, form: SignerList.Form, entries: Int, others: Int, unreadable: Int)] = [
        // Five signers of DCC and DDCC and one of another domain; others are two roots, a DECA, one without a usage, and a
        // reference.
        ("gdhcn-v2.did.json", .gdhcn, 6, 5, 0), ("gdhcn-v1.did.json", .gdhcn, 4, 1, 0),
        ("gdhcn-csca-alone.did.json", .gdhcn, 0, 1, 0), ("gdhcn-nothing.did.json", .gdhcn, 0, 0, 0),
        ("gdhcn-usage-case.did.json", .gdhcn, 0, 1, 0), ("gdhcn-no-x5c.did.json", .gdhcn, 1, 0, 0),
        ("gateway.json", .gateway, 5, 3, 0), ("gateway-twins.json", .gateway, 2, 0, 0),
        ("german.json", .german, 4, 3, 0),
        ("german-zero.json", .german, 1, 0, 0), ("german-no-signature.json", .german, 4, 3, 0),
        ("dsc-xa.pem", .certificates, 1, 0, 0), ("dsc-xa.der", .certificates, 1, 0, 0),
        ("some-words.pem", .certificates, 2, 0, 0), ("set.jwks.json", .jwks, 5, 0, 0),
        ("empty.jwks.json", .jwks, 0, 0, 0),
    ]

    @Test(arguments: files.map(\.name)) func readsListsInAllForms(_ name: String) throws {
        let file = try #require(Self.files.first { $0.name == name })
        let bytes = try HealthCertificateVectors.bytes("trust/\(name)")
        let list = try SignerList(bytes)
        #expect(list.form == file.form)
        #expect(list.entries.count == file.entries)
        #expect(list.otherCount == file.others)
        #expect(list.unreadableCount == file.unreadable)
        // A byte-order mark and white space around change nothing, but for DER.
        guard file.form != .certificates, !name.hasPrefix("german"), name != "empty.jwks.json" else { return }
        let marked = try SignerList([0xEF, 0xBB, 0xBF] + bytes + [0x0A])
        #expect(marked.entries.count == file.entries)
    }

    @Test(arguments: ["no-list.json", "no-list.txt", "empty.txt"]) func refusesDocumentsOfOtherForms(_ name: String)
        throws
    {
        let bytes = try HealthCertificateVectors.bytes("trust/\(name)")
        #expect(throws: Malformed.self) { try SignerList(bytes) }
        #expect(throws: Malformed.self) { try SignerList(keySet: bytes) }
        var signers = TrustedSigners()
        #expect(throws: Malformed.self) { try signers.add(list: bytes) }
        #expect(signers.isEmpty)
    }

    @Test(arguments: ["gdhcn-v2.did.json", "gateway.json", "german.json", "dsc-xa.pem"]) func signersOfAListAreAdded(
        _ name: String
    ) throws {
        let bytes = try HealthCertificateVectors.bytes("trust/\(name)")
        var signers = TrustedSigners()
        try signers.add(list: bytes)
        for (keyID, _) in try SignerList(bytes).entries {
            #expect(!signers.entries(of: keyID) { _ in true }.isEmpty)
        }
    }

    @Test(arguments: [
        "", " ", "{}", "[1]", "[{}]", "[\"x\"]", "[", "{\"verificationMethod\":7}", "{\"verificationMethod\":[}",
        "{\"certificates\":{}}", "{\"kty\":\"EC\"", "-----BEGIN CERTIFICATE-----", "0\u{81}x", "AAAA\n", "AAAA\n[]",
        "\n{}",
        "*\n{\"certificates\":[]}", "{\"keys\":{},\"kty\":[]}x",
    ])
    func refusesBrokenDocuments(_ text: String) {
        let error = #expect(throws: Malformed.self) { try SignerList(Array(text.utf8)) }
        #expect(error?.description.isEmpty == false)
    }

    /// PEM and DER are recognised by their form, and by nothing that JSON contains.
    @Test(
        arguments: [
            ("-----BEGIN CERTIFICATE-----\n", true), ("words\r\n  -----BEGIN PUBLIC KEY-----\r\n", true),
            ("\u{FEFF}-----BEGIN X509 CERTIFICATE-----", true), ("-----BEGIN CERTIFICATE", false),
            ("7 -----BEGIN CERTIFICATE-----", false), (#""-----BEGIN CERTIFICATE-----""#, false),
            (#"{"a":"-----BEGIN CERTIFICATE-----"}"#, false), (#"["-----BEGIN CERTIFICATE-----"]"#, false),
            ("{\"a\":\n-----BEGIN CERTIFICATE-----\n}", false),
            ("0A==\n{\"a\":\"-----BEGIN CERTIFICATE-----\"}", false),
        ])
    func certificatesAreRecognisedByTheirForm(_ text: String, _ isRecognised: Bool) {
        let file = try? ListFile(Array(text.utf8), maximumSize: 4096)
        if case .certificates? = file { #expect(isRecognised) } else { #expect(!isRecognised) }
    }

    @Test(arguments: ["gdhcn-v2.did.json", "gateway.json", "german-no-signature.json", "set.jwks.json"])
    func parsedListsAreReadAsTheirFilesAre(_ name: String) throws {
        let bytes = try HealthCertificateVectors.bytes("trust/\(name)")
        let parsed = try SignerList(.json(try JSONDocument.parse(bytes)))
        let list = try SignerList(bytes)
        #expect(parsed.form == list.form && parsed.entries.map(\.keyID) == list.entries.map(\.keyID))
        // A signature makes a list of another form no German list.
        guard list.form != .german else { return }
        #expect(throws: Malformed.self) { try SignerList(Array("AAAA\n".utf8) + bytes) }
    }

    @Test(arguments: [
        #"{"participating_issuers":[]}"#, #"{"method":"rid","rids":[]}"#,
        #"{"verificationMethod":[],"certificates":[]}"#,
        #"{"verificationMethod":[],"participating_issuers":[]}"#, #"{"keys":[],"certificates":[]}"#,
    ])
    func refusesDocumentsThatAreNoListOfSignersOrTwo(_ text: String) {
        #expect(throws: Malformed.self) { try SignerList(Array(text.utf8)) }
    }

    @Test func refusesListsThatAreTooLarge() {
        let list = Array("[{\"rawData\":\"\"}]".utf8)
        #expect(throws: Never.self) { try SignerList(list, maximumSize: list.count) }
        #expect(throws: Malformed.self) { try SignerList(list, maximumSize: list.count - 1) }
        #expect(throws: Malformed.self) { try SignerList([UInt8](repeating: UInt8(ascii: "["), count: 100_000)) }
    }

    /// L2: a signature in base64 may begin like DER.
    @Test func separatesTheSignatureOfTheGermanList() throws {
        let bytes = try HealthCertificateVectors.bytes("trust/german-zero.json")
        #expect(bytes.first == UInt8(ascii: "0"))
        let part = try #require(SignedText(bytes))
        #expect(part.signature.count == 64)
        #expect(part.text.first == UInt8(ascii: "{") && part.text.count == bytes.count - 89)
        #expect(SignedText(try HealthCertificateVectors.bytes("trust/german-no-signature.json")) == nil)
        #expect(
            SignedText(try HealthCertificateVectors.bytes("trust/german-empty-signature.json")) == nil)
    }

    // MARK: Entries

    private func did(_ members: String, jwk: String = #"{"kty":"EC"}"#) -> [UInt8] {
        Array("{\"verificationMethod\":[{\(members.isEmpty ? "" : members + ",")\"publicKeyJwk\":\(jwk)}]}".utf8)
    }

    /// L1: only keys that sign certificates, of whatever domain.
    @Test(arguments: [
        ("", 0, 0, 1), (##""id":"#AAAAAAAAAAA=""##, 1, 0, 0), (##""id":"#AAAAAAAAAAA=","keyusage":null"##, 1, 0, 0),
        (##""id":"#AAAAAAAAAAA=","keyusage":{"code":"#DSC"}"##, 1, 0, 0),
        (##""id":"#AA==","keyusage":{"code":"DSC"}"##, 1, 0, 0),
        (##""id":"#AA==","keyusage":"DSC""##, 1, 0, 0), (##""id":"#AA==","keyusage":{"code":"#CSCA"}"##, 0, 1, 0),
        (##""id":"#AA==","keyusage":{"code":"#DECA"}"##, 0, 1, 0),
        (##""id":"#AA==","keyusage":{"code":"#dsc"}"##, 0, 1, 0),
        (##""id":"#AA==","keyusage":{}"##, 0, 1, 0), (##""id":"#AA==","keyusage":["#DSC"]"##, 0, 1, 0),
        (##""id":"a:CSCA:b#AA==""##, 0, 1, 0), (##""id":"a:DECA#AA==""##, 0, 1, 0), (##""id":"a:b#CSCA""##, 0, 1, 0),
        (##""id":"#AA==","domain":{"code":"#DCC"}"##, 1, 0, 0),
        (##""id":"#AA==","domain":{"code":"#DDCC"}"##, 1, 0, 0),
        (##""id":"#AA==","domain":{"code":"#PH4H"}"##, 1, 0, 0),
        (##""id":"#AA==","domain":{"code":"#ICVP"}"##, 1, 0, 0),
        (##""id":"#AA==","domain":[]"##, 0, 1, 0), (##""id":"""##, 0, 0, 1), (##""id":"x#AA==""##, 0, 1, 0),
        (##""id":["#AA=="]"##, 0, 1, 0), (##""id":"#""##, 0, 0, 1),
        (##""id":"#*""##, 0, 0, 1), (##""id":7"##, 0, 1, 0),
    ])
    func takesOnlySignersFromWHOsList(_ members: String, _ entries: Int, _ others: Int, _ unreadable: Int) throws {
        let list = try SignerList(did(members))
        #expect([list.entries.count, list.otherCount, list.unreadableCount] == [entries, others, unreadable])
    }

    /// In a list that states what keys are for, an entry that does not say so is for nothing.
    @Test(arguments: [("", 2), (##","keyusage":{"code":"#DSC"}"##, 1), (##","domain":{"code":"#DCC"}"##, 1)])
    func anEntryStatesWhatOthersState(_ members: String, _ entries: Int) throws {
        let methods = zip(["AA==", "BA=="], [members, ""]).map { keyID, members in
            ##"{"id":"#\##(keyID)"\##(members),"publicKeyJwk":{"kty":"EC"}}"##
        }
        let list = try SignerList(Array(#"{"verificationMethod":[\#(methods.joined(separator: ","))]}"#.utf8))
        #expect(list.entries.map { $0.keyID } == Array([[0], [4]].prefix(entries)))
        #expect(list.otherCount == 2 - entries && list.unreadableCount == 0)
    }

    private static let purposes: [(members: String, scope: SignerScope, participant: UTF8Text?)] = [
        (##""id":"#AA==""##, .unstated, nil),
        (##""id":"did:web:a:trustlist:XX#AA==""##, .unstated, "XX"),
        (##""id":"did:web:a:v2:trustlist:PH4H:XXA:DSC#AA==""##, .domain("PH4H"), "XXA"),
        (##""id":"did:web:a:v2:trustlist:-:XXA:DSC#AA==""##, .unstated, "XXA"),
        (##""id":"#AA==","domain":{"code":"#ICVP"},"participant":{"code":"#XXB"}"##, .domain("ICVP"), "XXB"),
    ]

    /// WHO-D1, WHO-D4: what an entry or its ID says that it signs, and for whom.
    @Test(arguments: purposes.indices) func readsDomainAndParticipant(_ index: Int) throws {
        let expected = Self.purposes[index]
        let entry = try #require(try SignerList(did(expected.members)).entries.first?.entry)
        #expect(entry.scope == expected.scope && entry.participant == expected.participant)
        #expect(entry.environment == nil)
    }

    private static let signsOfEnvironments: [(members: String, environments: Set<TrustEnvironment>)] = [
        (#""id":"did:web:tng-cdn.who.int:v2:trustlist""#, [.production]),
        (#""id":"did:web:TNG-CDN-UAT.who.int%3A443:v2:trustlist""#, [.uat]),
        (#""id":"did:web:worldhealthorganization.github.io:tng-cdn-dev:v2:trustlist""#, [.dev]),
        (#""id":"did:web:tng-cdn-dev.who.int.example:v2:trustlist""#, []),
        (#""id":"did:web:tng-cdn-uat.who.int.:v2:trustlist""#, [.uat]),
        (#""id":"did:web:tng-cdn-uat.who.int.%3A443:v2:trustlist""#, [.uat]),
        (#""id":"did:web:tng-cdn-uat.who.int%2E:v2:trustlist""#, [.uat]),
        (#""id":"did:web:tng-cdn-uat.who.int..:v2:trustlist""#, []),
        (#""id":"did:web:worldhealthorganization.github.io.%3A443:tng-cdn-dev:v2:trustlist""#, [.dev]),
        (#""@context":["https://smart.who.int./trust/tng-context/v1-DEV.jsonld"]"#, [.dev]),
        (#""@context":["https://smart.who.int.example/trust/tng-context/v1-DEV.jsonld"]"#, []),
        (#""@context":["https://smart.who.int/trust/tng-context/v1-UAT.jsonld"]"#, [.uat]),
        (#""@context":"https://smart.who.int/trust/tng-context/v1.jsonld""#, [.production]),
        ("\"proof\":{\"verificationMethod\":\"\(TrustEnvironment.dev.signer)#k\"}", [.dev]),
        (
            #""id":"did:web:tng-cdn.who.int:trustlist","proof":[{"verificationMethod":"did:web:tng-cdn-dev.who.int:x"}]"#,
            [.production, .dev]
        ),
    ]

    /// WHO-E2: contexts, IDs and the DID of the proof name the environment, in any case of letters; references do not (WHO-E3).
    @Test(arguments: signsOfEnvironments.indices) func findsTheEnvironmentOfAList(_ index: Int) throws {
        let (members, environments) = Self.signsOfEnvironments[index]
        let reference = #""verificationMethod":["did:web:tng-cdn-dev.who.int:trustlist"]"#
        let list = try SignerList(Array("{\(members),\(reference)}".utf8))
        #expect(list.environments == environments)
        #expect(list.environment == (environments.count == 1 ? environments.first : nil))
    }

    @Test func countsEntriesThatAreNoKeys() throws {
        let list = try SignerList(
            Array(##"{"verificationMethod":["a#AA==",7,null,{},{"id":"#AA==","publicKeyJwk":"x"}]}"##.utf8))
        #expect(list.entries.isEmpty && list.otherCount == 1 && list.unreadableCount == 4)
    }

    private func certificate(_ name: String) throws -> Certificate {
        let bytes = try HealthCertificateVectors.bytes("trust/\(name).pem")
        return try Certificate(listed: try #require(try PEM.certificates(in: bytes).first))
    }

    /// L1: an authority among certificates is one that has signed another. Names decide what is checked, and the number of checks has
    /// a limit: beyond it, anyone who is named as an issuer counts as an authority.
    @Test func findsAuthoritiesByWhatTheyHaveSigned() throws {
        let listed = try ["dsc-xa", "dsc-is-ca", "dsc-like-root", "csca-xa", "dsc-xb", "dsc-xa"].map(certificate)
        var index = AuthorityIndex(listed)
        var hurried = AuthorityIndex(listed, maximumChecks: 0)
        for (name, hasIssued, isPresumed) in [
            ("csca-xa", true, true), ("csca-xb", true, true), ("dsc-like-root", false, true),
            ("dsc-is-ca", false, false),
            ("dsc-xa", false, false),
        ] {
            for _ in 0..<2 {
                #expect(try index.hasIssued(certificate(name)) == hasIssued, "\(name)")
                #expect(try hurried.hasIssued(certificate(name)) == isPresumed, "\(name)")
            }
        }
        // Each key is asked once, however often its certificate is there.
        var once = AuthorityIndex(listed, maximumChecks: 3)
        for _ in 0..<9 { #expect(try !once.hasIssued(certificate("dsc-like-root"))) }
    }

    /// L3: key IDs have plus signs and slashes, also percent-encoded, and follow the first number sign.
    @Test(arguments: [
        "+/8=", "-_8=", "-_8", "%2B%2F8%3D", "+/8",
    ])
    func readsKeyIDsOfFragments(_ fragment: String) throws {
        let list = try SignerList(did("\"id\":\"did:web:a:trustlist:b2#\(fragment)\""))
        #expect(list.entries.map(\.keyID) == [[0xFB, 0xFF]])
    }

    @Test func anEntryMayHaveTwoKeyIDs() throws {
        let list = try SignerList(did(##""id":"#AQ==""##, jwk: #"{"kty":"EC","kid":"Ag=="}"#))
        #expect(list.entries.map(\.keyID) == [[2], [1]])
        let same = try SignerList(did(##""id":"#AQ==""##, jwk: #"{"kty":"EC","kid":"AQ"}"#))
        #expect(same.entries.map(\.keyID) == [[1]])
    }

    /// L2
    @Test(arguments: [
        ("DSC", 1, 0), ("CSCA", 0, 1), ("UPLOAD", 0, 1), ("AUTHENTICATION", 0, 1), ("dsc", 0, 1), ("", 0, 1),
    ])
    func takesOnlySignersFromTheGatewaysList(_ type: String, _ entries: Int, _ others: Int) throws {
        for text in [
            "[{\"kid\":\"AQ==\",\"certificateType\":\"\(type)\",\"rawData\":\"AQ==\"}]",
            "{\"certificates\":[{\"kid\":\"AQ==\",\"certificateType\":\"\(type)\",\"rawData\":\"AQ==\"}]}",
        ] {
            let list = try SignerList(Array(text.utf8))
            #expect(list.entries.count == entries && list.otherCount == others)
        }
        let list = try SignerList(Array(#"[{"kid":"AQ==","rawData":"AQ=="},{"certificateType":"DSC"},7]"#.utf8))
        #expect(list.entries.isEmpty && list.otherCount == 1 && list.unreadableCount == 2)
    }

    /// K1: without a key ID, the hash of the certificate counts. In a key set, such an entry is one of an issuer of cards.
    @Test func aMissingKeyIDIsTheHash() throws {
        let der = try HealthCertificateVectors.bytes("trust/dsc-xa.der")
        let hash = Array(SHA256.digest(der).prefix(8))
        let base64 = Base64.encode(der)
        let gateway = "[{\"certificateType\":\"DSC\",\"rawData\":\"\(base64)\"}]"
        #expect(try SignerList(Array(gateway.utf8)).entries.map(\.keyID) == [hash])
        let set = "{\"keys\":[{\"kty\":\"EC\",\"x5c\":[\"\(base64)\"]}]}"
        #expect(try SignerList(Array(set.utf8)).isOfCardIssuer)
        #expect(try SignerList(der).entries.map(\.keyID) == [hash])
        #expect(try HealthCertificateVectors.list("dsc-xa.pem").entries.map(\.keyID) == [hash])
    }

    // MARK: Signers

    private func signers(_ name: String) throws -> [HealthCertificates.Signer?] {
        let bytes = try HealthCertificateVectors.bytes("trust/\(name)")
        let list = name.contains("jwks") ? try SignerList(keySet: bytes) : try SignerList(bytes)
        return list.entries.map { $0.entry.signer(keyID: $0.keyID, refusing: []) }
    }

    private func unusable(_ signer: HealthCertificates.Signer??) -> String? {
        guard case .failure(let error)? = (signer ?? nil)?.key else { return nil }
        return error.description
    }

    /// K5: both arcs, and certificates that name none of the groups.
    @Test(arguments: [
        ("tvr", "vtr"), ("v", "v"), ("t", "t"), ("r", "r"), ("v-arc-0", "v"), ("t-arc-0", "t"), ("r-arc-0", "r"),
        ("v-and-t-arc-0", "vt"), ("t-and-r", "tr"), ("v-and-client", "v"), ("client-auth", "vtr"),
        ("empty-usage", "vtr"),
        ("like-v", "vtr"), ("no-extensions", "vtr"), ("version-1", "vtr"), ("bad-usage", ""),
    ])
    func readsTheUsagesOfCertificates(_ name: String, _ groups: String) throws {
        let signer = try #require(try signers("dsc-\(name).pem")[0])
        #expect(signer.usages == Set(groups.compactMap { RecordGroup(rawValue: String($0)) }))
        #expect(signer.isLabelledByHash && signer.country == "XA")
    }

    @Test(arguments: [
        (#""keyUsage":["v"]"#, "v"), (#""keyUsage":["t","r"]"#, "tr"), (#""keyUsage":"tvr""#, "vtr"),
        (#""keyUsage":[]"#, ""),
        (#""keyUsage":["x"]"#, ""), (#""keyUsage":7"#, ""), (#""keyUsage":null"#, "vtr"), (#""use":"sig""#, "vtr"),
        (#""use":"v""#, "v"), (#""use":"tr""#, "tr"), (#""use":"enc""#, ""), (#""use":null"#, "vtr"),
        (#""x":"""#, "vtr"),
        // Words that are no groups, though letters of groups are in them.
        (#""use":"verify""#, ""), (#""keyUsage":["digitalSignature"]"#, ""), (#""keyUsage":["v","verify"]"#, "v"),
    ])
    func readsTheUsagesOfKeys(_ members: String, _ groups: String) throws {
        let list = try SignerList(
            keySet: Array("{\"keys\":[{\"kty\":\"EC\",\"kid\":\"AAAAAAAAAAE=\",\(members)}]}".utf8))
        let signer = try #require(list.entries[0].entry.signer(keyID: [0, 0, 0, 0, 0, 0, 0, 1], refusing: []))
        #expect(signer.usages == Set(groups.compactMap { RecordGroup(rawValue: String($0)) }))
    }

    /// A list may narrow what a certificate is for, and cannot widen it.
    @Test(arguments: [("", "v"), (#","keyUsage":["v","t"]"#, "v"), (#","keyUsage":["t"]"#, "")])
    func usagesAreThoseOfCertificateAndList(_ members: String, _ groups: String) throws {
        let pem = String(decoding: try HealthCertificateVectors.bytes("trust/dsc-v.pem"), as: UTF8.self)
        let base64 = pem.split(separator: "\n").filter { !$0.hasPrefix("-") }.joined()
        let list = try SignerList(
            keySet: Array(#"{"keys":[{"kty":"EC","kid":"AAAAAAAAAAE=","x5c":["\#(base64)"]\#(members)}]}"#.utf8))
        let signer = try #require(list.entries[0].entry.signer(keyID: [0, 0, 0, 0, 0, 0, 0, 1], refusing: []))
        #expect(signer.certificate != nil)
        #expect(signer.usages == Set(groups.compactMap { RecordGroup(rawValue: String($0)) }))
    }

    /// A certificate whose dates cannot be read is valid at no time.
    @Test(arguments: [("", true), ("210601000000Z", false), ("240601000000Z", false)])
    func unreadableDatesAreNeverValid(_ date: String, _ isValid: Bool) throws {
        let der = try HealthCertificateVectors.bytes("trust/dsc-xa.der")
        let changed = date.isEmpty ? der : der.replacing(Array(date.utf8), with: Array("219901000000Z".utf8))
        #expect((changed == der) == isValid)
        let listed = try #require(try SignerList(changed).entries.first)
        let signer = try #require(listed.entry.signer(keyID: listed.keyID, refusing: []))
        #expect((signer.notBefore != nil && signer.notAfter != nil) == isValid)
        #expect(signer.isValid(at: MadeHCERT.now) == isValid)
        #expect(signer.couldSign(try MadeHCERT().examined().form.get()) == isValid)
    }

    /// K3, L3
    @Test func refusesKeysThatCannotBeUsed() throws {
        #expect(unusable(try signers("weak.jwks.json").first)?.contains("RSA") == true)
        #expect(unusable(try signers("weak.jwks.json").last)?.contains("another curve") == true)
        #expect(unusable(try signers("off-curve.jwks.json").first)?.contains("not a point") == true)
        #expect(unusable(try signers("mismatch.jwks.json").first)?.contains("x5c") == true)
        #expect(unusable(try signers("mismatch-rsa.jwks.json").first)?.contains("x5c") == true)
        #expect(unusable(try signers("private.jwks.json").first)?.contains("private key") == true)
        #expect(unusable(try signers("gdhcn-private.did.json").first)?.contains("private key") == true)
        #expect(unusable(try signers("dsc-p-384.pem").first) != nil)
        #expect(unusable(try signers("dsc-rsa-1024.pem").first) != nil)
        for name in ["set.jwks.json", "plain.jwks.json", "url.jwks.json", "gateway-twins.json"] {
            for signer in try signers(name) { #expect(signer != nil && unusable(signer) == nil) }
        }
    }

    @Test(arguments: [
        #""kty":"EC","crv":"P-256","alg":"ES384""#, #""kty":"EC","crv":"P-256","alg":"PS256""#,
        #""kty":"RSA","alg":"RS256""#,
        #""kty":"RSA","alg":"ES256""#, #""kty":"oct""#, #""kty":"OKP","crv":"Ed25519""#, #""crv":"P-256""#,
        #""kty":"EC","crv":"P-256","key_ops":["sign"]"#, #""kty":"EC","crv":"P-256","key_ops":"verify""#,
    ])
    func refusesKeysForOtherPurposes(_ members: String) throws {
        let key = try #require(SignedKey.members)
        let list = try SignerList(keySet: Array("{\"keys\":[{\(members),\"kid\":\"AAAAAAAAAAE=\",\(key)}]}".utf8))
        #expect(unusable(list.entries[0].entry.signer(keyID: [0, 0, 0, 0, 0, 0, 0, 1], refusing: [])) != nil)
    }

    /// L3: coordinates with zeros before them, as DER has them.
    @Test func acceptsCoordinatesWithZeros() throws {
        let key = try TestKeys().keys[0].key
        for zeros in [0, 1, 32] {
            let text = { (number: [UInt8]) in Base64URL.encode([UInt8](repeating: 0, count: zeros) + number) }
            let set = """
                {"kty":"EC","crv":"P-256","kid":"AAAAAAAAAAE=","alg":"ES256","key_ops":["verify"],"x":"\(text(key.x))","y":"\(text(key.y))"}
                """
            guard
                case .success(.es256(let read))? = try SignerList(keySet: Array(set.utf8)).entries[0].entry.signer(
                    keyID: [0, 0, 0, 0, 0, 0, 0, 1], refusing: [])?
                    .key
            else {
                Issue.record("\(zeros) zeros")
                continue
            }
            #expect(read == key)
        }
        let long =
            "{\"kty\":\"EC\",\"crv\":\"P-256\",\"kid\":\"AAAAAAAAAAE=\",\"x\":\"\(Base64URL.encode([1] + key.x))\",\"y\":\"\(Base64URL.encode(key.y))\"}"
        #expect(
            unusable(
                try SignerList(keySet: Array(long.utf8)).entries[0].entry.signer(
                    keyID: [0, 0, 0, 0, 0, 0, 0, 1], refusing: []))
                != nil)
    }

    /// L4, K4: an unreadable entry has no signer, and those beside it do.
    @Test func skipsUnreadableEntries() throws {
        let twins = try signers("gateway-twin-unreadable.json")
        #expect(twins.map { $0 == nil } == [true, false, false])
        #expect(try signers("one-broken.pem").compactMap(\.self).count == 1)
    }

    /// L5
    @Test func theCountryIsThatOfTheCertificate() throws {
        #expect(try signers("gateway-wrong-country.json")[0]?.country == "XA")
        #expect(try signers("plain.jwks.json")[0]?.country == nil)
        #expect(try signers("gdhcn-no-x5c.did.json")[0]?.country != nil)
        #expect(try signers("gateway-label.json")[0]?.isLabelledByHash == false)
    }
}

private enum SignedKey {
    /// The numbers of a good key.
    static let members: String? = (try? TestKeys()).map { keys in
        let key = keys.keys[0].key
        return "\"x\":\"\(Base64URL.encode(key.x))\",\"y\":\"\(Base64URL.encode(key.y))\",\"n\":\"AQAB\",\"e\":\"AQAB\""
    }
}
