import Credentials
import FHIR

/// A word of a report that is no code of a failure or finding, and what it means.
struct ExplainTopic {
    /// The word, as `explain` takes it.
    let word: String
    /// What it means.
    let meaning: String
    /// What to do about it; nil if there is nothing to do.
    let remedy: String?
    /// What the holder of the card can do, in words for people who do not have the program; nil if there is nothing.
    let holder: String?

    init(_ word: String, _ meaning: String, remedy: String? = nil, holder: String? = nil) {
        self.word = word
        self.meaning = meaning
        self.remedy = remedy
        self.holder = holder
    }

    /// The topic that a word of a report means; nil if there is none.
    ///
    /// What was copied from a report may have capitals, and spaces in place of hyphens.
    static func of(_ text: String) -> ExplainTopic? {
        let word = word(of: text)
        return all.first { $0.word.utf8.elementsEqual((synonyms[word] ?? word).utf8) }
    }

    /// A text in the form of the words here.
    static func word(of text: String) -> String {
        String(
            decoding: text.utf8.map { byte in
                switch byte {
                case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
                case UInt8(ascii: " "), UInt8(ascii: "_"): UInt8(ascii: "-")
                default: byte
                }
            }, as: UTF8.self)
    }

    /// The words that `explain` takes.
    static var words: [String] { all.map(\.word) + synonyms.keys.sorted() }

    /// What reports say in other words.
    private static let synonyms = [
        "not-asked-for": "not-asked", "does-not-apply": "not-applicable", "not-checked": "unchecked",
        "signature-valid": "issuer-not-checked", "signature-valid,-issuer-not-checked": "issuer-not-checked",
        "not-now": "as-of", "the-signature-is-valid": "over", "not-trusted": "untrusted", "trusted": "issuer-trust",
        "listed-in-a-directory": "directory", "from-a-directory": "directory", "from-the-cache": "cache",
        "from-the-issuer": "network", "no-longer-publishes-keys": "no-key-set",
        "without-a-key-set": "no-key-set", "lackskeyset": "no-key-set", "verified": "pass", "not-given": "name",
        "madeat": "made-at", "verifiedat": "verified-at",
        "claimsverified": "claims-verified", "expired": "over", "an-alias-of": "alias", "claims": "claimed",
        "the-record-says": "says", "the-issuer-says": "says", "not-linked-to-a-person": "person", "notdone": "not-done",
        "issubpotent": "subpotent", "lotnumber": "lot", "performer": "by", "birthdate": "born",
        "validfrom": "valid-from",
        "validuntil": "valid-until", "orderoncard": "on-this-card", "warning": "warnings", "check": "checks",
    ]

    /// All topics: verdicts and their notes, results of checks, checks, trust, keys, inputs, records, and members of JSON.
    static let all =
        verdicts + results + checks + trust + keys + inputs + titles + records + states + lists + members

    private static let verdicts = [
        ExplainTopic(
            "pass",
            "Everything that was asked for was checked, and holds: the card is as its issuer signed it, the issuer is trusted by the lists "
                + "that were given, and the card is valid at the moment for which it was checked. It is no decision on health. What a pass does "
                + "not mean stands behind it in parentheses.",
            remedy:
                "Compare the name and the date of birth with an identity document: a genuine card may be somebody else's."
        ),
        ExplainTopic(
            "fail",
            "A check did not hold, and trying again will not change that. The word in parentheses is the reason, which has an explanation of "
                + "its own."),
        ExplainTopic(
            "undetermined",
            "Something could not be checked now: a key or a list could not be fetched, or nothing could be read. That says nothing about "
                + "the card or the person. The word in parentheses is the reason.",
            remedy:
                "Do not accept the card on that ground, and do not call it forged. Try again later, or do what the reason's explanation says."
        ),
        ExplainTopic(
            "issuer-not-checked",
            "The signature is valid: whoever has the web address that stands under \"Issuer\" has signed the card, and nobody has changed it "
                + "since. But nobody said whom to trust, so it was not checked who that is. Anybody can get a web address and sign cards with it.",
            remedy:
                "\"--directory vci\" looks the issuer up in VCI's list of pharmacies, hospitals and states (\"shcverify directory update\" "
                + "installs it). If you hold the card: is this the web address of your pharmacy, doctor or state? \"--trust URL\" says that you trust it. A gate has "
                + "--require-trusted.",
            holder: "Is the address that stands under \"Issuer\" that of your pharmacy, doctor or state?"),
        ExplainTopic(
            "revocation-not-checked",
            "The card could have been revoked by its issuer, and it was looked up in no list. For EU certificates nothing is fetched: they are "
                + "looked up only in lists that were given.",
            remedy:
                "Give the list of revoked certificates with --crl. With --require-revocation a card that was not looked up does not pass (21)."
        ),
        ExplainTopic(
            "as-of",
            "The card was checked as of the time that stands there, which was asked for, and not as of now. It may have expired since.",
            remedy:
                "Leave --at out to check as of now. \"--at issued\" asks whether a card was valid when it was issued."),
        ExplainTopic(
            "over",
            "EXPIRED or REVOKED (the signature is valid): the card was not changed after it was signed, and nothing else that is known here "
                + "speaks against it: the lists that were given were looked at. Nothing more was fetched for it, so an expired card may have been revoked "
                + "too. The card is refused all the same.",
            remedy:
                "The holder asks the issuer for a new card. \"--at issued\" says whether it was valid when it was issued.",
            holder: "Ask the issuer for a new card."
        ),
        ExplainTopic(
            "not-verified",
            "What follows is only what the card claims. Anybody could have written it.",
            remedy: "Do not rely on it. The reason says what is wrong."),
        ExplainTopic(
            "claimed", "The card names this issuer, and that was not verified. Anybody could have written it."),
    ]

    private static let results = [
        ExplainTopic(
            "skipped",
            "The check was not made. \"why\" in JSON, and the words in text and on pages, say why: not-asked (not asked for), not-applicable "
                + "(does not apply), or not-reached (not reached)."),
        ExplainTopic(
            "not-asked",
            "The check was not made because nobody asked for it: no list of trusted issuers or of revoked certificates was given, or no "
                + "records were required.",
            remedy:
                "--directory, --trust, --anchor or --jwks say whom to trust; --crl gives a list of revoked certificates; --record-type, "
                + "--since and --until require records."),
        ExplainTopic(
            "not-applicable",
            "The check was not made because there is nothing to check. For example, the issuer has no revocation list for the key."
        ),
        ExplainTopic(
            "not-reached", "The check was not made because one before it did not pass. Nothing is known about it."),
    ]

    private static let checks = Check.Name.withCarriers.map { name in
        let options = name == .records ? " --record-type, --since and --until say which are required." : ""
        return ExplainTopic(name.rawValue, name.explanation + options)
    }

    private static let trust = [
        ExplainTopic(
            "directory",
            "As trust: a directory or trust list that was given with --directory lists the issuer. As the source of a key: the key is from it. As "
                + "a kind of input: it is such a list."),
        ExplainTopic("allow-list", "The issuer is trusted because --trust names it."),
        ExplainTopic(
            "certificate",
            "As trust: a certificate of the issuer's key leads to one that --anchor names. As a member of JSON: the content of an EU Digital COVID "
                + "Certificate, or the certificate of its signer."),
        ExplainTopic(
            "jwks",
            "As trust: the issuer's keys were given with --jwks, which is a statement of trust. Also: a key set (JSON Web Key Set)."
        ),
        ExplainTopic(
            "unchecked",
            "Of an issuer: nobody said whom to trust, so the issuer was not checked. Anybody can sign at an address of their own. Of a finding of "
                + "lint: the rule could not be checked, for example because nothing was fetched.",
            remedy: "See \"shcverify explain issuer-not-checked\"."),
        ExplainTopic(
            "untrusted", "There are lists of trusted issuers or signers, and the issuer is on none of them.",
            remedy: "See \"shcverify explain issuer-not-trusted\"."),
    ]

    private static let keys = [
        ExplainTopic("jwks-file", "The key is from a file that was given with --jwks. The issuer was not asked."),
        ExplainTopic(
            "cache",
            "The key is from the issuer's server, and was fetched by an earlier run. \"retrieved\" says when. After its freshness it is fetched again."
        ),
        ExplainTopic("network", "The key was fetched from the issuer's server in this run."),
        ExplainTopic(
            "signer",
            "The one who signed an EU certificate, as the certificate of its key names it. A trust list vouches for it."
        ),
        ExplainTopic(
            "retrieved", "When the key was fetched from the issuer, by this machine or by the makers of the directory."),
    ]

    private static let inputs =
        InputForm.allCases.filter { ![.directory, .jwks, .link].contains($0) }.map { form in
            ExplainTopic(form.rawValue, "A kind of input: \(form.words).")
        } + [
            ExplainTopic(
                "smart-health-card",
                "A kind of credential: a SMART Health Card, with FHIR records, signed by a pharmacy, hospital, state or other issuer."
            ),
            ExplainTopic(
                "eu-digital-covid-certificate",
                "A kind of credential: an EU Digital COVID Certificate, with one vaccination, test or recovery, signed for a country."
            ),
            ExplainTopic(
                "who-icvp",
                "A kind of credential: WHO's certificate of vaccination (ICVP, the yellow card), with one or several vaccinations, each with its own validity."
            ),
            ExplainTopic(
                "who-health-link",
                "A kind of credential: a certificate around a link to a health record. Its signature covers the link, and nothing that is behind it."
            ),
            ExplainTopic("hcert", "As the form of a link: it stood in a health certificate, which was judged first."),
            ExplainTopic(
                "vhlink", "A scheme of links: a verifiable health link, which only a registered receiver can fetch."),
            ExplainTopic("shlink", "A scheme of links: a SMART Health Link, which the program can open."),
        ]

    /// What stands before the lines of a report, and above its columns and parts.
    private static let titles = [
        ExplainTopic(
            "issuer",
            "Who issued the card: the web address under which the issuer publishes its keys; for an EU certificate, the country that signed it. "
                + "In parentheses stands why it is trusted, or that it was not checked."),
        ExplainTopic(
            "alias",
            "The directory says that this issuer is another name of the one that stands there, and has the same keys."),
        ExplainTopic(
            "says",
            "\"the record says\": who issued the record, in the record's own words. \"the issuer says\": the issuer's own name for the code "
                + "of the record. The signature shows that the issuer wrote it. No list confirms it."),
        ExplainTopic(
            "transliterated",
            "The name in the letters A to Z, as the card states it and as in the lines of a passport that a machine reads. Compare it with those."
        ),
        ExplainTopic("sex", "The person's sex, as WHO's certificate of vaccination states it."),
        ExplainTopic("nationality", "The person's nationality, as WHO's certificate of vaccination states it."),
        ExplainTopic(
            "document",
            "The number and kind of the document by which the person is identified, such as a passport (PPN). Compare it with the document that the person shows."
        ),
        ExplainTopic(
            "guardian", "The parent or guardian of the person, as WHO's certificate of vaccination states it."),
        ExplainTopic("born", "The person's date of birth, as the card states it. It may be a year or a month alone."),
        ExplainTopic("issued", "When the card was issued, as it states. Before that moment, it is not valid."),
        ExplainTopic(
            "expires",
            "When the card expires, as it states. Many cards have no such time, and then the line is missing."),
        ExplainTopic(
            "checks",
            "What was checked, one after another, with the result of each. A check that comes after one that did not hold is not reached.",
            remedy: "\"shcverify explain\" knows each check by its name, such as \"signature\"."),
        ExplainTopic("details", "What a check has found, in words."),
        ExplainTopic(
            "reason",
            "Why the card did not pass: a code, which always means the same, and what was found. The code decides the exit code.",
            remedy: "\"shcverify explain CODE\" says what it means, what causes it and what to do."),
        ExplainTopic(
            "warnings",
            "What is unusual about the card and did not decide the verdict. Each has a code.",
            remedy: "\"shcverify explain CODE\" says what it means and whether to do anything."),
        ExplainTopic(
            "source", "Where the card was read from: a file, an option, a line, or a code in a picture."),
        ExplainTopic("date", "When the vaccine was given, or the sample was taken, as the card states it."),
        ExplainTopic("record", "What the record is about: the vaccine, the test or the disease."),
        ExplainTopic("result", "The result of a test, with the range that is usual if the card states it."),
        ExplainTopic(
            "status",
            "The state of a record, such as completed or final; and a command that shows which lists are installed, and their age."
        ),
        ExplainTopic("disease", "The disease that the vaccine, test or recovery is about."),
        ExplainTopic("dose", "Of an EU certificate: which dose it was, and of how many, such as 2/2."),
        ExplainTopic(
            "on-this-card",
            "The place of a vaccination among those of the same kind on this card, or in the words of WHO's certificate of vaccination. The person may have had others, so it is not the number of the dose."
        ),
        ExplainTopic("country", "The country in which the vaccine was given or the test was made."),
        ExplainTopic(
            "valid-from",
            "Of a certificate of recovery, or a vaccination on WHO's certificate (ICVP): from when it is valid."),
        ExplainTopic(
            "valid-until",
            "Of a certificate of recovery, or a vaccination on WHO's certificate (ICVP): until when it is valid. The certificate passes all the same after that day."
        ),
        ExplainTopic(
            "person",
            "Whose record it is. \"not linked to a person\" means that the card does not say it; \"person 2\" that the person has no name there."
        ),
        ExplainTopic("by", "Who gave the vaccine or made the test, as the card states it."),
        ExplainTopic("lot", "The number of the lot from which the vaccine was, as its maker counts them."),
        ExplainTopic("manufacturer", "Who made the vaccine or the test, as the card states it."),
        ExplainTopic("payer-id", "Of an insurance card: the payer's identifier in claims."),
        ExplainTopic("member", "Of an insurance card: the number of the insured person."),
        ExplainTopic(
            "subscriber",
            "Of an insurance card: the number of the person who holds the insurance, who may be another one."),
        ExplainTopic(
            "relationship",
            "Of an insurance card: how the insured person is related to the subscriber, such as self or child."),
        ExplainTopic("group", "Of an insurance card: the name and the number of the group, such as an employer."),
        ExplainTopic("plan", "Of an insurance card: the number of the plan. Its name stands under Record."),
        ExplainTopic("network", "Of an insurance card: the network of the plan."),
        ExplainTopic(
            "rxbin", "Of an insurance card: the number by which a pharmacy routes a claim (RxBIN, or else RxIIN)."),
        ExplainTopic("rxpcn", "Of an insurance card: the processor control number for medicines."),
        ExplainTopic("rxgrp", "Of an insurance card: the group for medicines."),
        ExplainTopic("rxid", "Of an insurance card: the member's number for medicines."),
        ExplainTopic("card-issued", "Of an insurance card: the day on which it was issued."),
        ExplainTopic("costs", "Of an insurance card: what the insured person pays, as an amount or in words."),
        ExplainTopic("contacts", "Of an insurance card: how to reach the payer, and for what."),
    ]

    private static let records = [
        ExplainTopic("cvx", "Where a name is from: CDC's lists of vaccines (CVX), trade names and manufacturers."),
        ExplainTopic("loinc", "Where a name is from: LOINC, the codes of laboratory tests."),
        ExplainTopic("built-in", "Where a name or list is from: this program."),
        ExplainTopic("eu-valueset", "Where a name is from: the EU's value sets for its certificates."),
        ExplainTopic("who-prequal", "Where a name is from: WHO's list of prequalified vaccines."),
        ExplainTopic("icd-11", "Where a name is from: WHO's names for codes of ICD-11."),
        ExplainTopic("codes-file", "Where a name is from: a file that was given with --codes."),
        ExplainTopic("installed", "Where a name is from: a list that \"shcverify codes update\" has installed."),
        ExplainTopic(
            "card", "Where a name is from: the card alone. The issuer has signed the words, and no list confirms them."),
        ExplainTopic("immunization", "A type of record: a vaccination."),
        ExplainTopic("laboratory", "A type of record: the result of a test."),
        ExplainTopic("covid19", "A type of record: its codes are of COVID-19."),
        ExplainTopic("recovery", "A type of record: recovery from a disease."),
        ExplainTopic("name", "The name of the person on the card. \"not given\" means that the card has none."),
        ExplainTopic(
            "identity",
            "How well the issuer knew the person, as the card states it: level 1 is a name that the person gave, 3 is an identity document that was checked."
        ),
    ]

    /// The states of a record (FHIR R4, the required value sets of each type).
    private static let states = [
        ExplainTopic("completed", "The state of a record: it was done. Of a vaccination: the vaccine was given."),
        ExplainTopic(
            "final",
            "The state of a record: the result is complete, and was confirmed by the laboratory."),
        ExplainTopic("detected", "A result of a test: what the test looks for was found."),
        ExplainTopic("not-detected", "A result of a test: what the test looks for was not found."),
        ExplainTopic("confirmed", "Of a diagnosis: it is certain."),
        ExplainTopic("refuted", "Of a diagnosis: it was found to be wrong.", remedy: "Do not count the record."),
        ExplainTopic("amended", "The state of a record: the result was changed after it was final."),
        ExplainTopic("corrected", "The state of a record: the result was wrong after it was final, and was corrected."),
        ExplainTopic(
            "preliminary", "The state of a record: a first result, which may still change.",
            remedy: "Ask for the final result."),
        ExplainTopic(
            "registered", "The state of a record: the test was ordered, and there is no result yet.",
            remedy: "Ask for the final result."),
        ExplainTopic("cancelled", "The state of a record: the test was not made.", remedy: "Do not count the record."),
        ExplainTopic(
            "not-done", "The state of a record: it was NOT done, such as a vaccine that was refused.",
            remedy: "Do not count the record."),
        ExplainTopic(
            "entered-in-error", "The state of a record: the issuer says that it was written by mistake.",
            remedy: "Do not count the record."),
        ExplainTopic(
            "subpotent",
            "The issuer says that this dose may not protect, for example because it was too small or too warm.",
            remedy: "Do not count the dose without asking somebody who decides on vaccinations."),
    ]

    /// What `status` says of lists and programs, and audits of issuers.
    private static let lists = [
        ExplainTopic(
            "fault", "Of a program or the clock: it does not work as it should. The line says why.",
            remedy: "Do what the line says. Until then, runs that need it end with exit code 1."),
        ExplainTopic("clock", "A line of status: whether this machine's clock can be right."),
        ExplainTopic("fetch", "A line of status: shcverify-fetch, the program that makes requests for keys and lists."),
        ExplainTopic("scan", "A line of status: shcverify-scan, the program that reads pictures and PDF documents."),
        ExplainTopic(
            "vci",
            "The directory of the Vaccination Credential Initiative: pharmacies, hospitals and states that issue SMART Health Cards. As a "
                + "line of status: whether it is installed."),
        ExplainTopic(
            "gdhcn",
            "WHO's trust list (GDHCN): the signers of EU certificates of the countries in WHO's network. As a line of status: whether it "
                + "is installed."),
        ExplainTopic(
            "codes",
            "The lists of codes for vaccines and tests. As a line of status: whether they are installed, and their dates."
        ),
        ExplainTopic("program", "A line of status: the version of this program."),
        ExplainTopic("error", "Of a finding of lint: the specification is broken. Verifiers may refuse the card."),
        ExplainTopic("judged", "Of an issuer in an audit: its key set was read, and all rules were applied."),
        ExplainTopic("not-judged", "Of an issuer in an audit: the time of the audit was used up before."),
        ExplainTopic(
            "unreachable",
            "Of an issuer in an audit: its server did not answer, or has a fault. That says nothing about its keys.",
            remedy: "Try again later."),
        ExplainTopic(
            "no-key-set",
            "Of an issuer: its server says that there is no key set at this address, or sends something else.",
            remedy: "Ask the issuer whether it has moved or has ended."),
        ExplainTopic(
            "not-opened", "Of a link: it was not opened, so nothing is known of what is in it. The reason says why."),
        ExplainTopic("ok", "Of a list: it is installed, can be read, and is not older than --max-age allows."),
        ExplainTopic(
            "missing", "Of a list: it is not installed.",
            remedy: "\"shcverify directory update\" and \"shcverify codes update\" install lists."),
        ExplainTopic(
            "old", "Of a list: it is older than --max-age allows.",
            remedy:
                "\"shcverify directory update\" and \"shcverify codes update\" install newer ones. A timer can do it each day."
        ),
        ExplainTopic(
            "unusable", "Of a list: it is there, but is damaged, or others could have written it.",
            remedy: "The line says what is wrong. Install the list again."),
        ExplainTopic(
            "in-the-future", "Of a list: its date is later than this machine's clock. One of the two is wrong.",
            remedy: "Let the machine set its clock by NTP."),
    ]

    private static let members = [
        ExplainTopic(
            "verified-at",
            "verifiedAt in JSON: as of when cards were verified. It is another time than madeAt if --at was given."),
        ExplainTopic("made-at", "madeAt in JSON: when the verification was made, by this machine's clock."),
        ExplainTopic(
            "claims-verified",
            "claimsVerified in JSON: whether the members below it, such as the issuer and the records, are verified, or only what the card claims."
        ),
    ]
}
