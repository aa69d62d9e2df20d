import Credentials
import Cryptography
import Foundation
import SMARTHealthCards
import TestSupport
import Testing

@testable import Evidence

/// The files of a cache, including files that others have changed.
struct IssuerCacheTests {
    private static let document = PublishedDocument.keys(of: CacheFixture.issuer)
    private let temporary: TemporaryDirectory
    private let cache: IssuerCache

    init() throws {
        temporary = try TemporaryDirectory()
        cache = IssuerCache(directory: temporary.url.appendingPathComponent("cache/shcverify").path)
    }

    private func copy(
        _ body: String = #"{"keys":[]}"#, tag: String? = "\"1\"", seconds: Int64 = 1_800_000_000,
        allowances: CachedDocument.Allowances = .init()
    ) -> CachedDocument {
        CachedDocument(
            body: Array(body.utf8), retrieved: NumericDate(sinceEpoch: .seconds(seconds)), freshSeconds: 300,
            entityTag: tag, lastModified: nil,
            allowances: allowances)
    }

    private func document(_ path: String) -> PublishedDocument {
        .keys(of: Issuer(unchecked: "https://issuer.example/\(path)"))
    }

    private var file: String { "\(cache.directory)/\(Self.document.fileName)" }
    private var names: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: cache.directory).sorted()) ?? []
    }

    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test(arguments: ["", "{}", "{\n}\n", "\n\n", String(repeating: "x", count: 100_000)])
    func keepsEveryByte(body: String) {
        cache.keep(copy(body), of: Self.document)
        #expect(cache.copy(of: Self.document) == copy(body))
        cache.keep(copy(tag: "W/\"a\\b\""), of: Self.document)
        #expect(cache.copy(of: Self.document) == copy(tag: "W/\"a\\b\""))
        cache.discard(Self.document)
        #expect(names.isEmpty)
        #expect(cache.copy(of: Self.document) == nil)
    }

    @Test func fileIsPrivateAndNamedAfterTheExactURL() throws {
        cache.keep(copy(), of: Self.document)
        // keys https://issuer.example/shc/.well-known/jwks.json
        #expect(names == ["d637b5f06b086cbc4e81f9a1163d90bcd5d9a5b3264c82242a6a63cde33e6ec8"])
        #expect(try mode(file) == 0o600)
        #expect(try mode(cache.directory) == 0o700)
        #expect(try mode(temporary.url.appendingPathComponent("cache").path) == 0o700)
        let urls = ["a", "A", "a/b", ""].map { document($0) }
        let list = RevocationListName(issuer: CacheFixture.issuer, keyID: KeyID("a"))
        #expect(Set((urls + [Self.document, .revocationList(list)]).map(\.fileName)).count == 6)
    }

    @Test func createsNothingForALookUpAndAtMostTwoLevels() {
        #expect(cache.copy(of: Self.document) == nil)
        cache.discard(Self.document)
        #expect(!FileManager.default.fileExists(atPath: cache.directory))
        let deep = IssuerCache(directory: cache.directory + "/not/made")
        deep.keep(copy(), of: Self.document)
        #expect(deep.copy(of: Self.document) == nil)
        #expect(!FileManager.default.fileExists(atPath: cache.directory))
    }

    @Test func createsAllParentsOnRequest() throws {
        let deep = IssuerCache(directory: cache.directory + "/not/../made/yet/", makesAllParents: true)
        #expect(deep.copy(of: Self.document) == nil)
        #expect(!FileManager.default.fileExists(atPath: cache.directory), "a look-up creates nothing")
        deep.keep(copy(), of: Self.document)
        #expect(deep.copy(of: Self.document) == copy())
        for made in ["", "/made", "/made/yet"] { #expect(try mode(cache.directory + made) == 0o700) }
    }

    @Test func ignoresAFileThatWasCutOffOrChanged() throws {
        cache.keep(copy(), of: Self.document)
        let whole = try Data(contentsOf: URL(fileURLWithPath: file))
        func expectNone(_ bytes: Data) throws {
            try bytes.write(to: URL(fileURLWithPath: file))
            #expect(cache.copy(of: Self.document) == nil)
        }
        for length in 0..<whole.count { try expectNone(whole.prefix(length)) }
        for place in whole.indices {
            var changed = whole
            changed[place] ^= 1
            try expectNone(changed)
        }
        try expectNone(whole + Data([0x20]))
        try expectNone(Data(repeating: 0, count: 4 << 20))
        cache.keep(copy(), of: Self.document)
        #expect(cache.copy(of: Self.document) == copy())
    }

    @Test func copiesAreSharedOnlyWithTheSamePermissions() throws {
        let all: [CachedDocument.Allowances] = [
            .init(), .init(allowsPrivateNetwork: true), .init(certificateAuthorities: "a"),
            .init(allowsPrivateNetwork: true, certificateAuthorities: "a"), .init(certificateAuthorities: "b"),
        ]
        for allowances in all { cache.keep(copy("\(allowances)", allowances: allowances), of: Self.document) }
        for allowances in all {
            #expect(
                cache.copy(of: Self.document, under: allowances) == copy("\(allowances)", allowances: allowances))
        }
        // The content of the file counts, not only its name.
        let other = "\(cache.directory)/\(Self.document.fileName(under: all[1]))"
        try FileManager.default.removeItem(atPath: file)
        try FileManager.default.moveItem(atPath: other, toPath: file)
        #expect(cache.copy(of: Self.document) == nil)
        cache.discard(Self.document, under: all[2])
        #expect(names.count == 3)
    }

    @Test func ignoresAFileOfAnotherDocument() throws {
        let other = PublishedDocument.keys(of: Issuer(unchecked: "https://issuer.example/SHC"))
        cache.keep(copy(), of: other)
        try FileManager.default.moveItem(atPath: "\(cache.directory)/\(other.fileName)", toPath: file)
        #expect(cache.copy(of: Self.document) == nil)
    }

    @Test func ignoresLinksPipesAndDirectories() throws {
        cache.keep(copy(), of: Self.document)
        let elsewhere = temporary.url.appendingPathComponent("elsewhere").path
        try FileManager.default.moveItem(atPath: file, toPath: elsewhere)
        let before = try Data(contentsOf: URL(fileURLWithPath: elsewhere))
        try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: elsewhere)
        #expect(cache.copy(of: Self.document) == nil)
        // Writing replaces the link. The link's target does not change.
        cache.keep(copy("other"), of: Self.document)
        #expect(cache.copy(of: Self.document) == copy("other"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: elsewhere)) == before)

        try FileManager.default.removeItem(atPath: file)
        #expect(mkfifo(file, 0o600) == 0)
        #expect(cache.copy(of: Self.document) == nil)
        try FileManager.default.removeItem(atPath: file)
        try FileManager.default.createDirectory(atPath: file, withIntermediateDirectories: false)
        #expect(cache.copy(of: Self.document) == nil)
        cache.keep(copy(), of: Self.document)
        #expect(cache.copy(of: Self.document) == nil)
        #expect(names == [Self.document.fileName])
    }

    @Test(arguments: [0o770, 0o702, 0o777, 0o720])
    func directoryThatOthersMayWriteToIsNotUsed(mode: Int) throws {
        cache.keep(copy(), of: Self.document)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: cache.directory)
        #expect(cache.copy(of: Self.document) == nil)
        cache.keep(copy("other"), of: Self.document)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: cache.directory)
        #expect(cache.copy(of: Self.document) == copy())
    }

    @Test(arguments: ["/dev/null/cache", "/proc/shcverify/cache", "/nowhere/at/all", "", "/"])
    func directoryThatCannotBeCreatedIsNotACache(path: String) {
        // Root could write to "/", so it is only read.
        let cache = IssuerCache(directory: path)
        if path != "/" { cache.keep(copy(), of: Self.document) }
        #expect(cache.copy(of: Self.document) == nil)
        cache.discard(Self.document)
    }

    @Test func documentThatIsTooLargeIsNotKept() {
        let list = PublishedDocument.revocationList(RevocationListName(issuer: CacheFixture.issuer, keyID: KeyID("a")))
        let largest = copy(String(repeating: " ", count: IssuerCache.maximumBodySize))
        cache.keep(largest, of: list)
        #expect(cache.copy(of: list) == largest)
        // The earlier copy is not kept either, because the issuer no longer publishes it.
        cache.keep(copy(String(repeating: " ", count: IssuerCache.maximumBodySize + 1)), of: list)
        #expect(names.isEmpty)
        cache.keep(copy(tag: String(repeating: "x", count: 70_000)), of: list)
        #expect(names.isEmpty)
    }

    @Test func removesTheCopyWithTheOldestConfirmationFirst() throws {
        var small = cache
        small.maximumCount = 3
        for number in 0..<6 {
            small.keep(copy(), of: document("\(number)"))
            // The files get different times, because a file system could give all of them the same.
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 1_000_000_000 + Double(number))],
                ofItemAtPath: "\(cache.directory)/\(document("\(number)").fileName)")
        }
        let kept = (0..<6).filter { small.copy(of: document("\($0)")) != nil }
        #expect(kept.count == 3)
        #expect(kept.contains(4))

        small.maximumSize = 1000
        small.keep(copy(String(repeating: " ", count: 500)), of: document("large"))
        #expect(names.count == 1)
    }

    @Test func leftoversAreRemovedAndOtherFilesAreNot() throws {
        var small = cache
        small.maximumCount = 1
        cache.keep(copy(), of: Self.document)
        let draft = ".\(Self.document.fileName).abc"
        let others = ["notes.txt", ".hidden", String(repeating: "A", count: 64), String(repeating: "0", count: 63)]
        for name in others + [draft, draft + "2"] {
            try Data().write(to: URL(fileURLWithPath: "\(cache.directory)/\(name)"))
        }
        for name in others + [draft] {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: "\(cache.directory)/\(name)")
        }
        small.keep(copy(), of: Self.document)
        #expect(names == (others + [draft + "2", Self.document.fileName]).sorted())
    }

    @Test func readersSeeAWholeCopyWhileOthersWrite() async {
        let bodies = (0..<8).map { String(repeating: "\($0)", count: 50_000) }
        cache.keep(copy(bodies[0]), of: Self.document)
        await withTaskGroup(of: Void.self) { group in
            for body in bodies {
                group.addTask { for _ in 0..<20 { cache.keep(copy(body), of: Self.document) } }
                group.addTask {
                    for _ in 0..<20 {
                        let body = cache.copy(of: Self.document).map { String(decoding: $0.body, as: UTF8.self) }
                        #expect(body.map(bodies.contains) == true)
                    }
                }
            }
        }
        #expect(names == [Self.document.fileName])
    }
}

/// The permissions of a run without additional permissions.
extension IssuerCache {
    fileprivate func copy(of document: PublishedDocument) -> CachedDocument? { copy(of: document, under: .init()) }
    fileprivate func discard(_ document: PublishedDocument) { discard(document, under: .init()) }
}

extension PublishedDocument {
    fileprivate var fileName: String { fileName(under: .init()) }
}
