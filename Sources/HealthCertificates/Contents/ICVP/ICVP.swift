package import Credentials
package import Encodings
package import FHIR

/// WHO's International Certificate of Vaccination or Prophylaxis: the yellow card (smart-icvp 0.3.0, and the shape of 2024).
///
/// The number in claim -260 is one for development, and the shape is a draft.
package struct ICVP: Sendable {
    /// The whole content.
    package let value: CBORValue
    /// The vaccinations.
    package let vaccinations: [CBORValue]
    /// The deviations from the model that do not make the certificate invalid.
    package let warnings: [CredentialWarning]

    package static let kind = HealthContentKind(
        number: -6, sourceType: "who-icvp", plural: "vaccination certificates (ICVP)",
        domains: ["ICVP", "PH4H", "RACSEL-DDVC"], isOfListsWithoutDomains: false, requiresExpiry: false,
        isIssuedByCountry: false, isLenient: false, isShown: true,
        read: { value throws(VerificationFailure) in try ICVP(value) })

    /// Reads the content, strictly.
    ///
    /// - Throws: `VerificationFailure` with `malformed-payload`.
    package init(_ value: CBORValue) throws(VerificationFailure) {
        let check = ICVPCheck(value)
        if let problem = check.problems.first(where: \.isFatal) { throw CWTClaims.malformed(problem.message) }
        self.value = value
        vaccinations = check.vaccinations
        warnings = check.problems.compactMap { problem in
            problem.warningCode.map { CredentialWarning($0, problem.message, path: problem.path) }
        }
    }
}

extension ICVP: HealthContent {
    package var words: String {
        vaccinations.count == 1
            ? "a certificate of a vaccination (ICVP)" : "a certificate of \(vaccinations.count) vaccinations (ICVP)"
    }

    /// Says which vaccinations are not valid on the day of the verification. The certificate is valid all the same.
    package func warnings(at now: NumericDate) -> [CredentialWarning] {
        let moment = FHIRDate(now)
        return vaccinations.enumerated().flatMap { number, vaccination in
            let (from, until, _) = Self.validity(of: vaccination)
            let validity = RecordValidity(from: from, until: until)
            var warnings: [CredentialWarning] = []
            // The dates are not repeated, since the message may be logged.
            if validity.hasEnded(at: moment) {
                warnings.add(
                    .recordExpired, "vaccination \(number + 1) was valid until a day that has passed (validUntil)",
                    path: "records[\(number)]")
            }
            if validity.hasNotBegun(at: moment) {
                warnings.add(
                    .recordNotYetValid, "vaccination \(number + 1) is valid only from a later day on (validFrom)",
                    path: "records[\(number)]")
            }
            return warnings
        }
    }

    package func contents(names: CodeNames, at moment: NumericDate) -> CardContents? {
        CardContents(self, names: names, at: FHIRDate(moment))
    }
}

extension ICVP {
    /// The certificate as a FHIR Bundle (R4): a Patient, and an Immunization for each vaccination.
    package var storableBundle: JSONValue? {
        ContentBundle.bundle(
            of: patient,
            vaccinations.map { vaccination in
                (
                    "Immunization",
                    { writer in
                        writer.member("status", "completed")
                        let product = vaccination["vp"]?.plainText.map { ICVPCode.code($0) }
                        ContentBundle.required("vaccineCode", [product], &writer)
                        ContentBundle.patient("patient", &writer)
                        ContentBundle.occurrence(ContentBundle.date(vaccination["dt"]?.dateText), &writer)
                        if let lot = vaccination["bo"]?.plainText { writer.member("lotNumber", lot) }
                    }
                )
            })
    }

    /// The holder is identified by a document. Of two persons with one name and date of birth, nothing else tells that they are two.
    package var holderIdentity: [UInt8]? {
        value["nid"]?.plainText == nil
            ? nil : ContentBundle.identity(["n", "dob", "s", "ntl", "nid", "ndt", "gn"], of: value)
    }

    private func patient(_ writer: inout JSONWriter) {
        if let number = value["nid"]?.plainText {
            writer.only("identifier") { writer in
                if let type = value["ndt"]?.plainText {
                    writer.object("type") { writer in
                        // Codes such as PPN are those of v2-0203.
                        if (2...6).contains(type.utf8.count), type.utf8.allSatisfy({ (0x41...0x5A).contains($0) }) {
                            ContentBundle.coding([Code(hl7: "v2-0203", type)], &writer)
                        } else {
                            writer.member("text", type)
                        }
                    }
                }
                writer.member("value", number)
            }
        }
        if let name = value["n"]?.plainText { writer.only("name") { $0.member("text", name) } }
        if let gender { writer.member("gender", gender) }
        if let birthDate = value["dob"]?.dateText.flatMap(ContentDate.birthDate) {
            writer.member("birthDate", birthDate)
        }
        if let guardian = value["gn"]?.plainText {
            writer.only("contact") { writer in
                writer.only("relationship") { ContentBundle.coding([Code(hl7: "v3-RoleCode", "GUARD")], &$0) }
                writer.object("name") { $0.member("text", guardian) }
            }
        }
    }

    /// The code of FHIR that the sex begins with, or that begins with it: certificates have `male` and `M`. nil if there is none.
    private var gender: String? {
        guard let sex = value["s"]?.plainText?.asciiLowercased else { return nil }
        return ["male", "female", "other", "unknown"].first { code in
            guard sex.utf8.count > code.utf8.count else { return code.utf8.starts(with: sex.utf8) }
            let rest = sex.utf8.dropFirst(code.utf8.count)
            return sex.utf8.starts(with: code.utf8) && rest.first.map { !(0x61...0x7A).contains($0) } == true
        }
    }

    /// From when until when a vaccination is valid, and whether one of the two is there and is no date.
    static func validity(of vaccination: CBORValue) -> (from: UTF8Text?, until: UTF8Text?, isUnreadable: Bool) {
        let date = { (name: String) in vaccination[name]?.dateText.flatMap { ContentDate.dayOrInterval($0) } }
        let isUnreadable = ["vls", "vle"].contains { name in
            vaccination[name].map { !$0.isNull } ?? false && date(name) == nil
        }
        return (date("vls"), date("vle"), isUnreadable)
    }
}

extension CardContents {
    /// The person and the vaccinations of a certificate.
    ///
    /// - Parameters:
    ///   - content: the content of the certificate.
    ///   - names: names for codes.
    ///   - moment: the moment for which the records are read.
    init(_ content: ICVP, names: CodeNames, at moment: FHIRDate) {
        let value = content.value
        let text = { (name: String) in value[name]?.plainText }
        let person = Subject(
            name: text("n").map { UTF8Text(PersonName.normalized($0)) },
            birthDate: value["dob"]?.dateText.flatMap { ContentDate.birthDate($0) },
            sex: text("s"), nationality: text("ntl"),
            document: text("nid").map { IdentityDocument(number: $0, type: text("ndt")) }, guardian: text("gn"))
        let days = content.vaccinations.compactMap { vaccination in
            vaccination["dt"]?.dateText.flatMap { ContentDate.date($0) }.flatMap { FHIRDate($0) }
        }
        self.init(
            subjects: [person], records: content.vaccinations.map { Record(vaccination: $0, names: names, at: moment) },
            relevantDate: days.max { $0.isEarlier(than: $1) })
    }
}

extension Record {
    fileprivate init(vaccination values: CBORValue, names: CodeNames, at moment: FHIRDate) {
        let text = { (name: String) in values[name]?.plainText }
        let day = { (name: String) in values[name]?.dateText.flatMap { ContentDate.date($0) } }
        let product = text("vp").map { ICVPCode.code($0) }
        let target = text("tg").map { ICVPCode.code($0) }
        self.init(ofOnlyPerson: "Immunization", .immunization)
        status = "completed"
        let name = product.flatMap { names.nameInICVP(of: $0) }
        concept = CodedText(
            display: name?.display ?? product?.code, source: name?.source,
            codes: [product, target].compactMap(\.self))
        diseaseName = target.flatMap { names.nameInICVP(of: $0)?.display }
        targets = target.map { [$0] } ?? []
        let written = values["dt"]?.dateText
        date =
            day("dt") == nil ? nil : written.map { UTF8Text(decoding: Array($0.utf8)[...].trimmingWhiteSpace()) }
        interval = date.flatMap { ContentDate.interval($0) }
        hasUnreadableDate = date == nil
        lotNumber = text("bo")
        performer = text("cn") ?? text("is")
        statedOrder = text("dn")
        let validity = ICVP.validity(of: values)
        (validFrom, validUntil) = (validity.from, validity.until)
        setLapse(
            at: moment,
            RecordValidity(from: validFrom, until: validUntil, isUnreadable: validity.isUnreadable))
    }
}

/// The codes in an ICVP, which come without the names of their code systems.
package enum ICVPCode {
    /// The code with its system, which follows from the form of the code; without one if it has no known form.
    package static func code(_ code: UTF8Text) -> Code { Code(system: system(of: code), code: code) }

    /// Whether a product is in WHO's list of prequalified vaccines.
    package static func isListedProduct(_ product: UTF8Text) -> Bool {
        CodeNames.builtIn.isKnown(Code(system: Code.whoProducts, code: product))
    }

    private static func system(of code: UTF8Text) -> UTF8Text? {
        let bytes = Array(code.utf8)
        if isListedProduct(code) || isProduct(bytes) { return Code.whoProducts }
        if (6...18).contains(bytes.count), bytes.allSatisfy(isDigit) { return Code.snomed }
        return isOfICD11(bytes) ? Code.icd11 : nil
    }

    /// Whether a code ends as those of WHO's products do: `Product`, and 32 hexadecimal digits.
    private static func isProduct(_ code: [UInt8]) -> Bool {
        let digits = 32
        return code.count >= digits + 7 && code.dropLast(digits).suffix(7).elementsEqual("Product".utf8)
            && code.suffix(digits).allSatisfy { isDigit($0) || (0x61...0x66).contains($0 | 0x20) }
    }

    /// Whether a code has the form of ICD-11: a category such as `1D47` or `1E50.0`, or an extension such as `XM0N24`.
    private static func isOfICD11(_ code: [UInt8]) -> Bool {
        let parts = code.split(separator: UInt8(ascii: "."), maxSplits: 2, omittingEmptySubsequences: false)
        guard let first = parts.first.map({ Array($0) }), first.allSatisfy({ isDigit($0) || isLetter($0) }) else {
            return false
        }
        if first.first == UInt8(ascii: "X"), parts.count == 1, (5...6).contains(first.count) {
            return isLetter(first[1])
        }
        guard first.count == 4, isLetter(first[1]), isDigit(first[2]) else { return false }
        return parts.count == 1
            || parts.count == 2 && (1...2).contains(parts[1].count)
                && parts[1].allSatisfy { isDigit($0) || isLetter($0) }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
    private static func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) }
}
