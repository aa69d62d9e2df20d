import Credentials
import Inputs
import TestSupport
import Testing

/// The texts of QR codes, and cards that are split over several QR codes.
@Suite struct QRCodeTests {
    private static let jws = Array("eyJhbGciOiJFUzI1NiJ9.AZaz09-_.signature".utf8)
    private static let text = String(decoding: jws, as: UTF8.self)
    private static let other = Array("eyJhbGciOiJFUzI1NiJ9.AZaz09-_.otherSignature".utf8)

    private func failure(_ inputs: String...) throws -> VerificationFailure {
        let failure = try #require(CredentialReader.cards(in: inputs).first?.failure)
        #expect(failure.message.isFitToPrint)
        return failure
    }

    @Test func decodesTwoDigitsAsOneCharacter() {
        let all = (45...122).map { UInt8($0) }
        #expect(CredentialReader.cards(in: Carrier.qr(all)).map(\.words) == [String(decoding: all, as: UTF8.self)])
    }

    /// What is read in one pass is what the reader of all inputs reads.
    @Test(arguments: [
        ("shc:/5676", true), ("shc:/5677" + String(repeating: "56", count: 1300), true), ("shc:/", false),
        ("shc:/567", false), ("shc:/5677", true), ("shc:/5678", false), ("shc:/5699", false), ("SHC:/5676", true),
        ("shc:/1/1/5676", false),
        ("shc:/1/2/5676", false), ("shc:/5676shc:/5676", false), ("shc:5676", false), ("hc1:5676", false),
    ])
    func readsAWholeCodeAsTheReaderOfAllInputsDoes(_ text: String, _ isRead: Bool) throws {
        let card = CredentialReader.card(wholeCode: Array(text.utf8)[...], source: "x#0")
        #expect((card != nil) == isRead)
        guard let card else { return }
        var reader = CredentialReader()
        reader.add(Array(text.utf8), source: "x")
        let other = try #require(reader.cards().first)
        #expect(try card.text.get() == other.text.get())
        #expect(card.warnings == other.warnings && card.form == other.form && card.kind == other.kind)
        #expect(card.source == other.source)
    }

    @Test(arguments: [
        ("shc:/", "no digits"), ("shc:/567", "must be even"), ("shc:/5x", "character 2"),
        ("shc:/56 76", "character 3"), ("shc:/78", "at most 77"), ("shc:/99", "at most 77"), ("shc:/-1", "character 1"),
        ("shc:/５６", "not a digit"), ("shc:/\u{661}\u{662}", "not a digit"), ("shc:5676", "must begin with"),
        ("shc:", "must begin with"), ("shc:\\56", "must begin with"), ("shc:/1/56", "expected"),
        ("shc:/1/2/3/56", "expected"),
        ("shc:////////", "expected"), ("shc://56", "expected"), ("shc:/1/2/", "no digits"), ("shc:///56", "numbers"),
        ("shc:/a/2/56", "numbers"), ("shc:/1/b/56", "numbers"), ("shc:/01/2/56", "numbers"),
        ("shc:/+1/2/56", "numbers"),
        ("shc:/-1/2/56", "numbers"), ("shc:/1 /2/56", "numbers"), ("shc:/4294967297/2/56", "numbers"),
        ("shc:/1/18446744073709551617/56", "numbers"), ("shc:/0/2/56", "part 0 of 2"), ("shc:/3/2/56", "part 3 of 2"),
        ("shc:/1/0/56", "part 1 of 0"), ("shc:/0/0/56", "part 0 of 0"), ("shc:/1/1001/56", "1001 parts"),
        ("shc:/999999999/999999999/56", "999999999 parts"),
    ])
    func rejectsDamagedTextsAndSaysWhy(_ text: String, _ words: String) throws {
        let failure = try failure(text)
        #expect(failure.code == .malformedQR)
        #expect(failure.message.contains(words), "\(failure.message)")
    }

    @Test(arguments: ["SHC:/", "Shc:/", "sHC:/1/1/"])
    func acceptsUpperCaseSchemeWithAWarning(_ scheme: String) throws {
        let card = try #require(CredentialReader.cards(in: scheme + Carrier.digits(Self.jws)).first)
        #expect(card.words == Self.text)
        #expect(card.warnings.contains { $0.code == .qrSchemeCase })
    }

    @Test func readsPartOneOfOneAsAWholeCard() {
        let cards = CredentialReader.cards(
            in: "shc:/1/1/" + Carrier.digits(Self.jws), "shc:/1/1/" + Carrier.digits(Self.other))
        #expect(cards.map(\.words) == [Self.text, String(decoding: Self.other, as: UTF8.self)])
        #expect(cards.allSatisfy { $0.warnings.map(\.code) == [.qrChunkingDeprecated] })
    }

    @Test(arguments: [(1195, false), (1196, true)])
    func warnsOfASingleCodeOfMoreThan1195Characters(_ length: Int, _ hasWarning: Bool) throws {
        let jws = [UInt8](repeating: 0x41, count: length)
        let card = try #require(CredentialReader.cards(in: Carrier.qr(jws)).first)
        #expect(card.warnings.contains { $0.code == .jwsTooLong } == hasWarning)
    }

    // MARK: Parts

    @Test(arguments: 1...12)
    func joinsPartsInAnyOrderFromSeveralInputs(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var parts = Carrier.chunks(Self.jws, count: Int.random(in: 2...20, using: &random))
        parts += parts.shuffled(using: &random).prefix(Int.random(in: 0...3, using: &random))
        parts.shuffle(using: &random)
        var inputs: [String] = []
        while !parts.isEmpty {
            let lines = parts.prefix(Int.random(in: 1...5, using: &random))
            parts.removeFirst(lines.count)
            inputs.append(lines.joined(separator: ["\n", "\r\n", "\n\n \n", "\r"].randomElement(using: &random)!))
        }
        let cards = CredentialReader.cards(in: inputs)
        #expect(cards.map(\.words) == [Self.text])
        #expect(cards.map(\.source) == ["in#0"])
    }

    @Test func splitCardTakesThePositionOfItsFirstPart() {
        let parts = Carrier.chunks(Self.jws, count: 2)
        let cards = CredentialReader.cards(in: "a.b.c", parts[1], Carrier.qr("d.e.f".utf8), parts[0], "g.h.i")
        #expect(cards.map(\.words) == ["a.b.c", Self.text, "d.e.f", "g.h.i"])
        #expect(cards.map(\.source) == ["in#0", "in#1", "in#2", "in#3"])
    }

    @Test func keepsCardsWithDifferentNumbersOfPartsApart() {
        let lines = zip(Carrier.chunks(Self.jws, count: 3), Carrier.chunks(Self.other, count: 4)).flatMap { [$0, $1] }
        let cards = CredentialReader.cards(in: (lines + Carrier.chunks(Self.other, count: 4)).joined(separator: "\n"))
        #expect(cards.map(\.words) == [Self.text, String(decoding: Self.other, as: UTF8.self)])
    }

    @Test func readsEachLineAsACard() {
        let lines = [Carrier.qr(Self.jws), "shc:/x", "eyJ.a.b", "", Carrier.qr(Self.other)]
        let cards = CredentialReader.cards(in: lines.joined(separator: "\n"))
        #expect(cards.map(\.words) == [Self.text, nil, nil, String(decoding: Self.other, as: UTF8.self)])
        #expect(cards.allSatisfy { $0.form == .qr })
    }

    @Test func rejectsTwoTextsForOnePart() throws {
        let parts = Carrier.chunks(Self.jws, count: 3)
        let wrong = "shc:/2/3/" + Carrier.digits("wrong".utf8)
        for inputs in [[parts[1], wrong], [wrong, parts[1]], [parts[1], wrong, parts[1], parts[0], parts[2]]] {
            let cards = CredentialReader.cards(in: inputs)
            #expect(cards.count == 1)
            let failure = try #require(cards.first?.failure)
            #expect(failure.code == .malformedQR)
            #expect(failure.message.contains("part 2 of 3"))
        }
    }

    @Test func namesTheMissingParts() throws {
        let parts = Carrier.chunks(Self.jws, count: 20)
        let failure = try failure(parts[3], parts[9])
        #expect(failure.code == .qrChunkMissing)
        #expect(failure.message.contains("parts 1, 2, 3, 5, 6, 7, 8, 9, …"))
        #expect(try self.failure(parts.dropLast().joined(separator: "\n")).message.contains("part 20 of 20"))
        #expect(try self.failure(parts[0], parts[0], parts[0]).code == .qrChunkMissing)
    }

    @Test func keepsEachWarningOfThePartsOnce() throws {
        let parts = Carrier.chunks(Self.jws, count: 3)
        let inputs = [parts[0], "SHC" + parts[1].dropFirst(3), "\u{FEFF}" + parts[2]]
        let card = try #require(CredentialReader.cards(in: inputs).first)
        #expect(card.warnings.map(\.code) == [.qrChunkingDeprecated, .qrSchemeCase, .byteOrderMark])
    }

    @Test func joinsAThousandParts() {
        let jws = (0..<3000).map { UInt8(0x30 + $0 % 10) }
        let cards = CredentialReader.cards(in: Carrier.chunks(jws, count: 1000).reversed().joined(separator: "\n"))
        #expect(cards.map(\.words) == [String(decoding: jws, as: UTF8.self)])
    }
}
