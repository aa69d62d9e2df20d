package import Encodings
package import FHIR

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

extension ICVP {
    /// From when until when a vaccination is valid, and whether one of the two is there and is no date.
    static func validity(of vaccination: CBORValue) -> (from: UTF8Text?, until: UTF8Text?, isUnreadable: Bool) {
        let date = { (name: String) in vaccination[name]?.dateText.flatMap { ContentDate.dayOrInterval($0) } }
        let isUnreadable = ["vls", "vle"].contains { name in
            vaccination[name].map { !$0.isNull } ?? false && date(name) == nil
        }
        return (date("vls"), date("vle"), isUnreadable)
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
