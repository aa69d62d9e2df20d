import FHIR
import JOSE
import JSON
import SMARTHealthCards

/// A card's verdict as JSON: an element of `cards` in `verify --format json`, and a line of `batch`.
struct CardJSON: Sendable {
    /// Names for codes.
    let names: CodeNames
    /// Whether it says whom the card is about and what it records. Else those members are null, nothing of them is read, and
    /// messages have nothing of them either.
    var hasRecords = true
    /// Whether it says of each check what was established.
    var hasDetails = true
    /// Whether it has the Bundle.
    var hasBundle = true

    /// Writes a card's verdict, and what the card says, as one object.
    func write(_ verdict: Verdict, to writer: inout JSONWriter) {
        write(verdict, to: &writer, prepared: nil) { $0.member("source", verdict.examined.presented.source) }
    }

    /// The same for who calls the card something else.
    ///
    /// - Parameters:
    ///   - prepared: what was written of earlier cards and holds for others; nil to write all of it anew.
    ///   - head: writes the first members, among them what the card is called.
    func write(
        _ verdict: Verdict, to writer: inout JSONWriter, prepared: PreparedVerdicts?, head: (inout JSONWriter) -> Void
    ) {
        let claims = verdict.claims
        let contents = hasRecords ? claims.flatMap { CardContents($0, names: names) } : nil
        writer.object { writer in
            head(&writer)
            if let prepared, let members = prepared.members(of: verdict, by: self) {
                writer.members(members)
            } else {
                judgement(verdict, to: &writer)
            }
            let card = try? verdict.examined.card.get()
            writer.member("issued", (card?.issued ?? claims?.issued)?.calendarText)
            writer.member("expires", (card?.expires ?? claims?.expires)?.calendarText)
            if hasRecords {
                writer.member("relevantDate", contents?.relevantDate?.text)
                writer.member("sourceType", Self.sourceType)
            } else {
                writer.members(Self.noDate)
            }
            writer.name("types")
            writer.array { writer in
                guard let types = (card?.types ?? claims?.payload["vc"]?["type"])?.elements else { return }
                for type in types where type.kind == .string { writer.text(type) }
            }
            if hasRecords {
                subjects(contents, to: &writer)
                records(contents, to: &writer)
            } else {
                writer.members(Self.noRecords)
            }
            warnings(verdict.warnings + (contents?.warnings ?? []), to: &writer)
            writer.member("fhirVersion", card?.fhirVersion ?? claims?.fhirVersion)
            guard hasBundle else { return }
            writer.name("fhirBundle")
            writer.value(claims?.fhirBundle)
        }
    }

    private static let sourceType = "smart-health-card"

    // What takes the place of what is not read.
    private static let noDate = JSONFragment(escapesUnprintable: false) { writer in
        writer.member("relevantDate", nil as String?)
        writer.member("sourceType", sourceType)
    }
    private static let noRecords = JSONFragment(escapesUnprintable: false) { writer in
        writer.member("subject", nil as String?)
        writer.member("subjects", nil as String?)
        writer.member("records", nil as String?)
    }

    /// The form it came in, and what was found out about the card: of one that verified, nothing that only it has.
    func judgement(_ verdict: Verdict, to writer: inout JSONWriter) {
        let claims = verdict.claims
        writer.member("inputKind", verdict.examined.presented.kind?.rawValue)
        writer.member("verdict", verdict.name)
        reason(verdict.reason, to: &writer)
        checks(verdict.checks, to: &writer)
        // Whether what follows is established, or only what the card says.
        writer.name("claimsVerified")
        writer.value(verdict.verified != nil)
        writer.name("issuer")
        writer.object { writer in
            writer.name("iss")
            writer.text(claims?.payload["iss"])
            writer.member("name", verdict.directoryEntry?.name)
            writer.member("website", verdict.directoryEntry?.website)
            writer.member("canonicalIss", verdict.directoryEntry?.canonicalIssuer?.url)
            writer.member("trust", verdict.issuerTrust.rawValue)
        }
        writer.name("key")
        writer.object { writer in
            writer.name("kid")
            writer.text(verdict.examined.decoded?.header.value["kid"])
            writer.member("source", verdict.keyOrigin?.rawValue)
            writer.member("retrieved", verdict.keyRetrieved?.calendarText)
        }
    }

    private func reason(_ reason: VerificationFailure?, to writer: inout JSONWriter) {
        writer.name("reason")
        guard let reason else { return writer.value(nil as String?) }
        writer.object { writer in
            writer.member("code", reason.code.rawValue)
            writer.member("message", reason.words(isImpersonal: !hasRecords))
        }
    }

    private func checks(_ checks: [Check], to writer: inout JSONWriter) {
        writer.name("checks")
        writer.array { writer in
            for check in checks {
                guard hasDetails else {
                    writer.value(Self.outcomes[check.name.place][check.status.place])
                    continue
                }
                writer.object { writer in
                    writer.member("name", check.name.rawValue)
                    writer.member("status", check.status.rawValue)
                    writer.member("detail", check.detail)
                }
            }
        }
    }

    /// Each check with each way it can go, by check and by status.
    private static let outcomes = Check.Name.allCases.map { name in
        Check.Status.allCases.map { status in
            JSONFragment { writer in
                writer.object { writer in
                    writer.member("name", name.rawValue)
                    writer.member("status", status.rawValue)
                }
            }
        }
    }

    private func records(_ contents: CardContents?, to writer: inout JSONWriter) {
        writer.name("records")
        writer.array { writer in
            for record in contents?.records ?? [] {
                writer.object { writer in
                    writer.member("subject", record.subjectIndex)
                    record.write(to: &writer)
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

    /// All persons are `subjects`, which records refer to by their place; the first is `subject` as well.
    private func subjects(_ contents: CardContents?, to writer: inout JSONWriter) {
        let subjects = contents?.subjects ?? []
        writer.name("subject")
        if let first = subjects.first { subject(first, to: &writer) } else { writer.value(nil as String?) }
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
