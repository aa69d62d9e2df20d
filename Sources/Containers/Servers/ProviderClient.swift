package import Credentials
package import Encodings
package import HTTPSFetch

/// Asks a provider's FHIR server for a patient's health cards, by the operation `$health-cards-issue` (SHC-C5).
package struct ProviderClient: Sendable {
    /// What is asked for.
    package struct Query: Sendable {
        /// The id of the patient on the server.
        package var patient: String
        /// The types of record that the cards must have: FHIR resource types, or URIs. All must be present.
        package var types: [String]
        /// Value sets in which the records' codes must be.
        package var valueSets: [String]
        /// The earliest date of the records, as FHIR writes it; nil for any.
        package var since: String?

        /// Creates a query.
        package init(patient: String, types: [String], valueSets: [String] = [], since: String? = nil) {
            self.patient = patient
            self.types = types
            self.valueSets = valueSets
            self.since = since
        }
    }

    /// What the provider gave.
    package struct Answer: Sendable {
        /// The `Parameters` resource with the cards.
        package let parameters: [UInt8]
        /// Whether the provider says that it issues health cards.
        package let hasCapability: Bool

        /// Whether this is a `Parameters` resource without any card: the provider has nothing to give.
        package var holdsNoCards: Bool {
            guard !parameters.holdsMoreJSONValues(than: Bounds.inputValues),
                let value = try? JSONDocument.parse(parameters, maximumDepth: Bounds.nesting),
                value["resourceType"]?.isString("Parameters") == true
            else { return false }
            return value["parameter"]?.elements?.contains { $0["name"]?.isString("verifiableCredential") == true }
                != true
        }
    }

    private let transport: any Transport
    private let limits: LinkClient.Limits
    private let base: HTTPSURL
    private let token: SecretBytes?

    /// The largest answer in bytes.
    private static let answerSize = 16 << 20
    private static let configurationSize = 1 << 20
    private static let errorBodySize = 16 << 10

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - base: the https URL of the FHIR server.
    ///   - token: an access token, which is sent to this server only; nil for none.
    ///   - transport: makes the requests.
    ///   - limits: the rules for requests.
    /// - Throws: `TransportFailure` of kind `invalidURL`.
    package init(
        base: String, token: SecretBytes?, transport: any Transport, limits: LinkClient.Limits
    ) throws(TransportFailure) {
        var text = base
        while text.utf8.last == UInt8(ascii: "/") { text.removeLast() }
        let url = try HTTPSURL(text)
        guard !url.text.utf8.contains(UInt8(ascii: "?")), !text.utf8.contains(UInt8(ascii: "#")) else {
            throw TransportFailure(.invalidURL, "the address of a FHIR server has no query and no fragment")
        }
        self.base = url
        self.transport = transport
        self.limits = limits
        self.token = token
    }

    /// Asks for cards: first what the server can do, then once for the cards.
    ///
    /// - Throws: `InstallationFault` if nothing can be fetched on this machine.
    package func cards(_ query: Query) async throws(InstallationFault) -> Result<Answer, VerificationFailure> {
        let deadline = ContinuousClock.now + limits.timeout
        // A server that does not answer this may still answer the other request.
        let hasCapability = try await hasCapability(until: .now + limits.timeout / 3)
        let patient = PercentEncoding.encode(Array(query.patient.utf8), keeping: PercentEncoding.isUnreserved)
        var request = request("/Patient/\(patient)/$health-cards-issue", until: deadline)
        request.method = .post(HTTPRequest.Body(Self.body(query), mediaType: "application/fhir+json"))
        request.bearerToken = token
        request.maximumBodySize = Self.answerSize
        request.errorBodySize = Self.errorBodySize
        switch try await send(request) {
        case .failure(let failure): return .failure(unavailable(failure.message))
        case .success(let response) where response.status == 200:
            return .success(Answer(parameters: response.body, hasCapability: hasCapability))
        case .success(let response): return .failure(failure(of: response))
        }
    }

    /// Whether the server lists the capability `health-cards` (SMART App Launch, "Conformance"). It needs no token.
    private func hasCapability(until deadline: ContinuousClock.Instant) async throws(InstallationFault) -> Bool {
        var request = request("/.well-known/smart-configuration", until: deadline)
        request.accept = "application/json"
        request.maximumBodySize = Self.configurationSize
        guard case .success(let response) = try await send(request), response.status == 200,
            !response.body.holdsMoreJSONValues(than: Bounds.inputValues),
            let value = try? JSONDocument.parse(response.body)
        else { return false }
        return value["capabilities"]?.elements?.contains { $0.isString("health-cards") } ?? false
    }

    private func request(_ path: String, until deadline: ContinuousClock.Instant) -> HTTPRequest {
        let base = base.text.utf8.last == UInt8(ascii: "/") ? String(base.text.dropLast()) : base.text
        return HTTPRequest(
            url: base + path, timeout: max(.zero, deadline - .now), maximumBodySize: 0,
            allowsPrivateNetwork: limits.allowsPrivateNetwork,
            certificateAuthorityFile: limits.certificateAuthorities?.file, accept: "application/fhir+json")
    }

    private func send(
        _ request: HTTPRequest
    ) async throws(InstallationFault) -> Result<HTTPResponse, TransportFailure> {
        do throws(TransportFailure) {
            return .success(try await transport.sendChecked(request))
        } catch {
            if let fault = InstallationFault(error) { throw fault }
            return .failure(error)
        }
    }

    /// The input of the operation, a `Parameters` resource.
    private static func body(_ query: Query) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("resourceType", "Parameters")
            writer.array("parameter") { writer in
                for type in query.types {
                    writer.object {
                        $0.member("name", "credentialType")
                        $0.member("valueUri", type)
                    }
                }
                for set in query.valueSets {
                    writer.object {
                        $0.member("name", "credentialValueSet")
                        $0.member("valueUri", set)
                    }
                }
                if let since = query.since {
                    writer.object {
                        $0.member("name", "_since")
                        $0.member("valueDateTime", since)
                    }
                }
            }
        }
        return writer.bytes
    }

    // MARK: Failures

    private func unavailable(_ words: String) -> VerificationFailure {
        VerificationFailure(.providerUnavailable, "the provider could not be asked for cards: \(words)")
    }

    /// The failure of an answer that is no success. The provider's own words are added, if it sent any.
    private func failure(of response: HTTPResponse) -> VerificationFailure {
        let words = "the provider answered with status \(response.status)"
        guard [400, 401, 403, 404, 409, 412, 422].contains(response.status) else {
            return unavailable(HTTPResponse.words(forStatus: response.status))
        }
        let meaning =
            switch response.status {
            case 401: token == nil ? ", and no access token was given" : ": it does not accept the access token"
            case 403: ": access is refused"
            case 404: ": there is no such patient, or the server has no such operation"
            default: ""
            }
        return VerificationFailure(
            .providerRefused,
            words + meaning + (ServerWords(in: response.body, without: [token].compactMap(\.self))?.quoted ?? ""),
            // The server's words may name a person.
            impersonalMessage: words + meaning)
    }
}

/// What a server says about why it refuses a request, in the JSON of its answer. The words are a stranger's, so they are quoted.
struct ServerWords {
    /// What words about a link mean.
    enum Meaning {
        /// The passcode is wrong or missing. Which of them it is, the one who asked knows best.
        case noPasscode
        /// There is nothing behind the link any more.
        case ended
    }

    /// All that the answer says: a later text may take back what an earlier one says.
    private let texts: [UTF8Text]
    /// The words in quotation marks, after what is said about the status; empty if a secret is in them.
    let quoted: String

    /// - Parameters:
    ///   - body: the answer.
    ///   - secrets: what may be shown to nobody.
    init?(in body: [UInt8], without secrets: [SecretBytes]) {
        guard !body.holdsMoreJSONValues(than: Bounds.inputValues),
            let value = try? JSONDocument.parse(body, maximumDepth: 32)
        else { return nil }
        let issues = value["issue"]?.elements.map { Array($0) } ?? []
        // An OperationOutcome, OAuth (RFC 6749 §5.2), problem details (RFC 9457), and what servers make up.
        let members =
            issues.flatMap { [$0["diagnostics"], $0["details"]?["text"]] }
            + [
                value["error_description"], value["detail"], value["message"], value["error"],
                value["error"]?["message"], value["title"],
            ]
        texts = members.compactMap { $0?.string }.filter { !$0.utf8.isEmpty }
        guard let text = texts.first else { return nil }
        quoted = secrets.contains { $0.isPart(of: Array(text.utf8)) } ? "" : "; it says \(text.quoted(upTo: 200))"
    }

    // MARK: Meaning

    /// What the words mean if they are about a link; nil if that is not beyond doubt. Every word must be known, so no denial, condition or
    /// alternative is overlooked. If there are several texts, all mean the same, but for the name of the status.
    var meaning: Meaning? {
        let meanings = texts.filter { !Self.statuses.contains($0.asciiLowercased) }.map(Self.meaning)
        return Set(meanings).count == 1 ? meanings[0] : nil
    }

    private static func meaning(of text: UTF8Text) -> Meaning? {
        let lowercased = text.asciiLowercased.utf8
        let isParting = { (byte: UInt8) in " _-.,:!".utf8.contains(byte) }
        guard lowercased.allSatisfy({ (0x61...0x7A).contains($0) || isParting($0) }) else { return nil }
        var words = lowercased.split(whereSeparator: isParting).map { UTF8Text(decoding: Array($0)) }
        for phrase in phrases {
            let start = words.indices.first { words[$0...].starts(with: phrase) }
            if let start { words.replaceSubrange(start..<start + phrase.count, with: ["inactive"]) }
        }
        guard words.allSatisfy({ known.contains($0) }) else { return nil }
        let has = { (some: Set<UTF8Text>) in words.contains(where: some.contains) }
        return switch (has(["passcode"]), has(wrong), has(over)) {
        case (true, true, false): .noPasscode
        case (false, false, true) where has(links): .ended
        default: nil
        }
    }

    /// Names of statuses, which say nothing of the link.
    private static let statuses: Set<UTF8Text> = [
        "bad request", "unauthorized", "forbidden", "conflict", "unprocessable entity", "unprocessable content",
    ]
    /// What means that something is inactive.
    private static let phrases: [[UTF8Text]] = [
        ["no", "longer", "active"], ["no", "longer", "available"], ["no", "longer", "valid"], ["not", "active"],
    ]
    private static let wrong: Set<UTF8Text> = [
        "invalid", "incorrect", "wrong", "rejected", "required", "missing", "needed",
    ]
    private static let over: Set<UTF8Text> = ["ended", "expired", "revoked", "inactive", "deactivated"]
    private static let links: Set<UTF8Text> = ["link", "shl", "shlink"]
    private static let known: Set<UTF8Text> = wrong.union(over).union(links).union([
        "passcode", "a", "an", "been", "entered", "error", "for", "given", "has", "health", "is", "provided", "smart",
        "supplied", "the", "this", "was", "your",
    ])
}
