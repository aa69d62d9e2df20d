import FHIR
import JOSE
import JSON
import SMARTHealthCards

/// `--format json`: one document that carries everything.
///
/// Its head has the exit code, which is known from the first card on that does not verify, else at the end. Until then what
/// is to follow waits.
struct JSONReport: VerificationReport {
    private let now: NumericDate
    private let names: CodeNames
    private let escapesUnprintable: Bool
    private var waiting: [UInt8] = []
    private var isFirst = true
    private var hasHead = false

    init(now: NumericDate, names: CodeNames, escapesUnprintable: Bool) {
        self.now = now
        self.names = names
        self.escapesUnprintable = escapesUnprintable
    }

    mutating func add(_ verdict: Verdict) -> [UInt8] {
        var writer = JSONWriter(layout: .indented, escapesUnprintable: escapesUnprintable, depth: 2)
        card(verdict, to: &writer)
        waiting += Array((isFirst ? "\n    " : ",\n    ").utf8) + writer.bytes
        isFirst = false
        if verdict.reason != nil { writeHead(verdict) }
        guard hasHead else { return [] }
        defer { waiting = [] }
        return waiting
    }

    mutating func finish() -> [UInt8] {
        writeHead(nil)
        return waiting + Array("\n  ]\n}\n".utf8)
    }

    /// Puts the head before what waits, once.
    ///
    /// - Parameter verdict: the first that is not a pass; nil where there is none.
    private mutating func writeHead(_ verdict: Verdict?) {
        guard !hasHead else { return }
        hasHead = true
        var writer = JSONWriter(layout: .indented)
        writer.object { writer in
            writer.member("schemaVersion", 1)
            writer.member("verdict", verdict?.name ?? "pass")
            writer.member("exitCode", Int(verdict?.reason?.code.exitCode ?? 0))
            writer.member("verifiedAt", now.toTheSecond.description)
        }
        let head = writer.bytes.prefix { $0 != UInt8(ascii: "}") }.dropLast()
        waiting = head + Array(",\n  \"cards\": [".utf8) + waiting
    }

    private func card(_ verdict: Verdict, to writer: inout JSONWriter) {
        let claims = verdict.claims
        let contents = claims.flatMap { CardContents($0, names: names) }
        writer.object { writer in
            writer.member("source", verdict.examined.presented.source)
            writer.member("inputKind", verdict.examined.presented.kind?.rawValue)
            writer.member("verdict", verdict.name)
            reason(verdict.reason, to: &writer)
            checks(verdict.checks, to: &writer)
            // Whether what follows is established, or only what the card says.
            writer.name("claimsVerified")
            writer.value(verdict.verified != nil)
            writer.name("issuer")
            writer.object { writer in
                writer.member("iss", claims?.issuer)
                writer.member("name", verdict.directoryEntry?.name)
                writer.member("website", verdict.directoryEntry?.website)
                writer.member("canonicalIss", verdict.directoryEntry?.canonicalIssuer?.url)
                writer.member("trust", verdict.issuerTrust.rawValue)
            }
            writer.name("key")
            writer.object { writer in
                writer.member("kid", verdict.examined.decoded?.header.keyID.description)
                writer.member("source", verdict.keyOrigin?.rawValue)
                writer.member("retrieved", verdict.keyRetrieved?.calendarText)
            }
            writer.member("issued", claims?.issued?.calendarText)
            writer.member("expires", claims?.expires?.calendarText)
            writer.member("relevantDate", contents?.relevantDate?.text)
            writer.member("sourceType", "smart-health-card")
            writer.name("types")
            writer.array { writer in
                for type in claims?.types ?? [] { writer.value(type) }
            }
            subjects(contents, to: &writer)
            writer.name("records")
            writer.array { writer in
                for record in contents?.records ?? [] { writer.object { record.write(to: &$0) } }
            }
            warnings(verdict.warnings, to: &writer)
            writer.member("fhirVersion", claims?.fhirVersion)
            writer.name("fhirBundle")
            writer.value(claims?.fhirBundle)
        }
    }

    private func reason(_ reason: VerificationFailure?, to writer: inout JSONWriter) {
        writer.name("reason")
        guard let reason else { return writer.value(nil as String?) }
        writer.object { writer in
            writer.member("code", reason.code.rawValue)
            writer.member("message", reason.message)
        }
    }

    private func checks(_ checks: [Check], to writer: inout JSONWriter) {
        writer.name("checks")
        writer.array { writer in
            for check in checks {
                writer.object { writer in
                    writer.member("name", check.name.rawValue)
                    writer.member("status", check.status.rawValue)
                    writer.member("detail", check.detail)
                }
            }
        }
    }

    private func warnings(_ warnings: [CardWarning], to writer: inout JSONWriter) {
        writer.name("warnings")
        writer.array { writer in
            for warning in warnings {
                writer.object { writer in
                    writer.member("code", warning.code.rawValue)
                    writer.member("message", warning.message)
                    writer.member("path", warning.path)
                }
            }
        }
    }

    /// The first person is `subject`; where there are several, all of them are `subjects`.
    private func subjects(_ contents: CardContents?, to writer: inout JSONWriter) {
        let subjects = contents?.subjects ?? []
        writer.name("subject")
        if let first = subjects.first { subject(first, to: &writer) } else { writer.value(nil as String?) }
        guard subjects.count > 1 else { return }
        writer.name("subjects")
        writer.array { writer in
            for person in subjects { subject(person, to: &writer) }
        }
    }

    private func subject(_ subject: Subject, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("name", subject.name)
            writer.member("birthDate", subject.birthDate)
            writer.member("identityAssurance", subject.identityAssurance)
        }
    }
}
