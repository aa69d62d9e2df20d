import Containers
import Credentials
import Encodings
import HTTPSFetch
import Inputs
import TestSupport
import Testing

/// The limits for one input with all that is in it, and for the pictures of a run.
@Suite(.timeLimit(.minutes(10))) struct InputLimitTests {
    // MARK: Making links

    private static func link(_ path: String, flags: String = "") throws -> [UInt8] {
        let key = try #require(try JSONDocument.parse(VectorFiles.bytes("links/links.json"))["key"]?.string)
        let payload = #"{"url":"https://a.example/\#(path)","key":"\#(key)","flag":"\#(flags)"}"#
        return Array("shlink:/\(Base64URL.encode(Array(payload.utf8)))".utf8)
    }

    private static func client(_ server: any Transport, timeout: Duration = .seconds(10)) -> LinkClient {
        LinkClient(transport: server, limits: LinkClient.Limits(timeout: timeout), recipient: "a test")
    }

    private static func follower(_ client: LinkClient) -> LinkFollower {
        LinkFollower(client, now: NumericDate(sinceEpoch: .zero), scanner: .none)
    }

    /// A server that must not be asked.
    private struct NoServer: Transport {
        func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
            Issue.record("there was a request")
            throw TransportFailure(.timeout, "no server")
        }
    }

    /// A server that has one file.
    private struct FileServer: Transport {
        let file: [UInt8]

        func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
            HTTPResponse(status: 200, body: file)
        }
    }

    // MARK: One limit

    @Test func linksOfAnInputShareATime() async throws {
        let link = HealthLink(try Self.link("x"))
        let client = Self.client(NoServer(), timeout: .seconds(5))
        var budget = Self.follower(client).budget()
        #expect(budget.time == Bounds.linksTime)
        budget.time = .zero
        let reason = try #require(try await client.open(link, passcode: nil, within: &budget).reason)
        #expect(reason.code == .linkUnavailable && reason.message.contains("60 s") && reason.isUnasked)
        #expect(Self.follower(Self.client(NoServer(), timeout: .seconds(300))).budget().time == .seconds(300))
    }

    /// Each link may be hostile, and all of their files are in memory at once.
    @Test func linksOfAnInputShareASize() async throws {
        let link = HealthLink(try Self.link("x", flags: "U"))
        let client = Self.client(FileServer(file: try VectorFiles.bytes("links/card.jwe")))
        var budget = Self.follower(client).budget()
        #expect(budget.size == 64 << 20)
        let first = try await client.open(link, passcode: nil, within: &budget)
        let size = (64 << 20) - budget.size
        #expect(first.files.first?.summary.kind == .healthCard && size > 0)
        budget.size = 2 * size - 1
        let second = try await client.open(link, passcode: nil, within: &budget)
        #expect(second.files.first?.bytes != nil && budget.size == size - 1)
        let third = try await client.open(link, passcode: nil, within: &budget)
        #expect(third.files.first?.summary.reason?.code == .payloadTooLarge && third.files.first?.bytes == nil)
    }

    // MARK: Pairs of limits

    /// What a link can use up. The text is that about its files.
    enum Limit: String, CaseIterable, Sendable {
        case cards, size, requests, time, text

        /// Whether two limits are the same one.
        func isThat(of other: Limit) -> Bool {
            self == other || Set([self, other]) == [.size, .text]
        }

        /// Whether a link was refused in the way in which this limit refuses.
        func refuses(_ link: OpenedLink, _ opening: LinkClient.Opening) -> Bool {
            let reasons = (opening.files.map(\.summary.reason) + [link.reason]).compactMap { $0?.code }
            return switch self {
            case .cards: opening.cutFile != nil
            case .size, .text: reasons.contains(.payloadTooLarge)
            case .requests, .time: reasons.contains(.linkUnavailable)
            }
        }
    }

    /// A server of links that use three fifths of a limit each: that which begins their path.
    private struct GreedyServer: Transport {
        let file: [UInt8]
        let card: [UInt8]
        /// The size of the file after decryption.
        let size: Int

        init() async throws {
            file = try VectorFiles.bytes("links/fhir.jwe")
            card = try VectorFiles.bytes("links/card.jwe")
            let client = InputLimitTests.client(FileServer(file: file))
            var budget = ContainerBudget(time: .seconds(600))
            _ = try await client.open(HealthLink(InputLimitTests.link("x", flags: "U")), passcode: nil, within: &budget)
            size = Bounds.containerSize - budget.size
        }

        /// The budget of which each link uses three fifths.
        func budget(withTime isTimed: Bool) -> ContainerBudget {
            var budget = ContainerBudget((cards: 20, size: 160 * size), time: isTimed ? .seconds(12) : .seconds(600))
            budget.requests = 20
            return budget
        }

        func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
            let path = request.url.split(separator: "/").dropFirst(2)
            guard let limit = path.first.flatMap({ Limit(rawValue: String($0)) }) else {
                return HTTPResponse(status: 200, body: file)
            }
            let embedded = { (file: [UInt8], type: String, count: Int) in
                Array(
                    repeating: #"{"contentType":"\#(type)","embedded":"\#(String(decoding: file, as: UTF8.self))"}"#,
                    count: count)
            }
            let files: [String]
            switch limit {
            case .cards: files = embedded(card, "application/smart-health-card", 12)
            case .size: files = embedded(file, "", 96)
            case .requests: files = (0..<11).map { #"{"location":"https://a.example/file/\#(path.joined())/\#($0)"}"# }
            case .time:
                let time = Duration.milliseconds(7200)
                try? await Task.sleep(for: min(time, request.timeout))
                guard request.timeout > time else { throw TransportFailure(.timeout, "the time was not enough") }
                files = embedded(file, "", 1)
            case .text: files = embedded(file, String(repeating: "x", count: 96 * size), 1)
            }
            return HTTPResponse(status: 200, body: Array(#"{"files":[\#(files.joined(separator: ","))]}"#.utf8))
        }
    }

    /// Of two links that use three fifths of a limit each, the second is refused, whatever else the input uses.
    @Test(arguments: Limit.allCases, Limit.allCases)
    func eachPairOfLimitsHolds(_ first: Limit, _ second: Limit) async throws {
        let server = try await GreedyServer()
        let client = Self.client(server, timeout: .seconds(600))
        let follower = Self.follower(client)
        let order = [first, second, first, second]
        let links = try order.enumerated().map { number, limit in
            PresentedContainer(.link, source: "in", text: try Self.link("\(limit.rawValue)/\(number)"))
        }
        var refused: [Set<Limit>] = []
        try await follower.follow(links, within: [0: server.budget(withTime: order.contains(.time))]) { link, opening in
            refused.append(Set(Limit.allCases.filter { $0.refuses(link, opening) }))
        }
        #expect(refused.count == 4 && refused.first == [])
        guard !first.isThat(of: second) else {
            #expect(refused.dropFirst().allSatisfy { !$0.isEmpty } && refused[1].contains(second))
            return
        }
        #expect(refused[1] == [])
        #expect(refused[2].contains(first) && !refused[3].isEmpty)
    }

    /// The links of another input have a budget of their own.
    @Test func inputsShareNoLimit() async throws {
        let server = try await GreedyServer()
        let follower = Self.follower(Self.client(server))
        let limits: [Limit] = [.cards, .size, .requests, .text]
        let links = try limits.flatMap { limit in
            try (0..<2).map { input in
                PresentedContainer(
                    .link, source: "in", text: try Self.link("\(limit.rawValue)/\(input)"), input: input)
            }
        }.sorted { $0.input < $1.input }
        // Text counts for the size, and both are used here.
        let budgets = (0..<2).map { input in
            var budget = server.budget(withTime: false)
            budget.size += 100 * server.size
            return (input, budget)
        }
        try await follower.follow(links, within: Dictionary(uniqueKeysWithValues: budgets)) { link, opening in
            #expect(!Limit.allCases.contains { $0.refuses(link, opening) })
        }
    }

    // MARK: Pairs of containers

    /// What has 3,000 cards.
    enum Carrier: CaseIterable, Sendable {
        case attachment, checkIn, link

        func add(to document: inout ScannedDocument, number: Int) throws {
            let cards = Array(repeating: #""a.b.c""#, count: 3000).joined(separator: ",")
            let file = #"{"verifiableCredential":[\#(cards)]}"#
            switch self {
            case .attachment: document.attachments.append(Array(file.utf8))
            case .checkIn:
                let response =
                    #"{"type":"smart-health-checkin-response","version":"1","requestId":"r\#(number)","artifacts":[{"id":"a","#
                    + #""mediaType":"application/smart-health-card","fulfills":["0"],"value":\#(file)}],"#
                    + #""requestStatus":[{"item":"0","status":"fulfilled"}]}"#
                document.attachments.append(Array(response.utf8))
            case .link:
                let place = CodePlace(source: "in", page: 1, width: 9, height: 9, corners: [])
                let text = try InputLimitTests.link("\(number)", flags: "U")
                document.codes.append(ScannedCode(text: text, place: place))
            }
        }
    }

    /// Cards count together whatever they are in, and so does the size of what they are in.
    @Test(arguments: Carrier.allCases, Carrier.allCases)
    func containersOfAllKindsShareTheirCards(_ first: Carrier, _ second: Carrier) async throws {
        var document = ScannedDocument(form: .pdf)
        try first.add(to: &document, number: 1)
        try second.add(to: &document, number: 2)
        var reader = CredentialReader()
        reader.add(document, source: "in")
        #expect(reader.room(for: .link, of: 0).size == Bounds.containerSize - document.size && document.size > 0)
        let now = NumericDate(sinceEpoch: .zero)
        let client = Self.client(FileServer(file: try VectorFiles.bytes("links/many.jwe")))
        try await reader.follow(by: Self.follower(client))
        reader.openContainers(in: CheckInSession(), at: now)
        let failures = reader.cards().map { card -> VerificationFailure? in
            if case .failure(let failure) = card.text { failure } else { nil }
        }
        #expect(failures.count { $0 == nil } == Bounds.cards)
        #expect(failures.contains(CredentialReader.restIsLeftOut))
    }

    // MARK: Pictures

    @Test func picturesOfARunShareATime() {
        var time = PictureTime()
        for _ in 0..<1000 {
            time.spend(.milliseconds(1900))
            #expect(time.next == Bounds.picturesTime + Bounds.pictureTime)
        }
        var count = 0
        while time.next > Bounds.pictureTime, count < 1000 {
            time.spend(min(.seconds(9), time.next))
            count += 1
        }
        #expect(count == 9)
        // A usual picture is read all the same.
        time.spend(.seconds(2))
        #expect(time.next == Bounds.pictureTime)
    }
}
