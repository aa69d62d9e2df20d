import StrictJSON

/// A disease that codes of vaccines and tests are marked with, so that records against it can be required.
public enum TargetDisease: String, Sendable, Hashable, CaseIterable {
    case covid19
    case yellowFever = "yellow-fever"
    case polio

    /// The letter in the rows of installed lists. `CodeArchive` has other marks as well.
    var mark: UInt8 {
        switch self {
        case .covid19: UInt8(ascii: "c")
        case .yellowFever: UInt8(ascii: "y")
        case .polio: UInt8(ascii: "p")
        }
    }

    /// The codes of the disease itself.
    var codes: [Code] {
        switch self {
        case .covid19: Self.covid19Codes
        case .yellowFever: Self.yellowFeverCodes
        case .polio: Self.polioCodes
        }
    }

    // They are made once, since each record is asked about the disease.
    private static let covid19Codes = [Code.covid19, Code(system: Code.icd11, code: "RA01")]
    private static let yellowFeverCodes = [Code(system: Code.icd11, code: "1D47")]
    private static let polioCodes = [Code(system: Code.icd11, code: "1C81")]

    /// The beginnings of words by which the name of a code or of a group says that it is about the disease, without spaces and
    /// punctuation.
    fileprivate var phrases: [String] {
        switch self {
        case .covid19:
            ["covid19", "sarscov2", "sarscoronavirus2", "severeacuterespiratorysyndromecoronavirus2"]
        case .yellowFever: ["yellowfever"]
        case .polio: ["polio"]
        }
    }

    /// Whole words that say the same.
    fileprivate var abbreviations: [String] {
        switch self {
        case .covid19, .yellowFever: []
        // Inactivated and oral poliovirus vaccine.
        case .polio: ["ipv", "opv"]
        }
    }

    /// The beginnings of words by which the title of a list says that it is about the disease.
    fileprivate var titlePhrases: [String] {
        switch self {
        case .covid19: ["covid", "sarscov2"]
        case .yellowFever, .polio: phrases
        }
    }

    /// Beginnings of words for other diseases that vaccines protect from, and for their vaccines. Words, not whole names, because
    /// lists write them in many ways.
    fileprivate static let otherPhrases = [
        "influenza", "flu", "hepatitis", "hepa", "hepb", "hpv", "papilloma", "hib", "haemophilus", "hemophilus",
        "measles",
        "mumps", "rubella", "mmr", "varicella", "chickenpox", "zoster", "shingles", "pneumo", "mening", "typhoid",
        "cholera",
        "rabies", "rota", "ebola", "japaneseencephalitis", "tickborne", "diphtheria", "tetanus", "pertussis", "dtp",
        "dtap",
        "tdap", "bcg", "tubercul", "rsv", "respiratorysyncytial", "anthrax", "smallpox", "mpox", "monkeypox",
        "vaccinia",
        "dengue", "chikungunya", "malaria", "plague", "botul", "adenovirus", "zika",
    ]
}

extension UTF8Text {
    /// Whether this, as the name of a code or of a group in CVX, says that it is about COVID-19. CDC writes one of these two in each
    /// such name, so no other spelling counts, and no word before it denies it.
    var holdsNameOfCOVID19: Bool {
        let text = asciiLowercased.utf8
        return ["covid-19", "sars-cov-2"].contains { text.contains($0.utf8) }
    }
}

/// The words of a name or a title: runs of letters and digits in lower case, also divided before a capital letter that follows a
/// small one (`ImmunizationCovid`).
struct NameWords {
    private let words: [[UInt8]]

    init(_ text: UTF8Text) {
        var words: [[UInt8]] = []
        var word: [UInt8] = []
        var wasSmall = false
        for scalar in text.unicodeScalars {
            let isCapital = ("A"..."Z").contains(scalar)
            let isPart =
                scalar.isASCII
                ? isCapital || ("a"..."z").contains(scalar) || ("0"..."9").contains(scalar)
                : scalar.properties.isAlphabetic
            if !isPart || isCapital && wasSmall {
                if !word.isEmpty { words.append(word) }
                word = []
            }
            wasSmall = ("a"..."z").contains(scalar)
            guard isPart else { continue }
            if scalar.isASCII {
                word.append(UInt8(scalar.value) | (isCapital ? 0x20 : 0))
            } else {
                word += Array(String(scalar).utf8)
            }
        }
        if !word.isEmpty { words.append(word) }
        self.words = words
    }

    /// Whether the words, as the name of a code or of a group, say that it is about a disease. A name that denies it does not.
    func name(_ disease: TargetDisease) -> Bool {
        let places = places(of: disease.phrases, whole: disease.abbreviations)
        return !places.isEmpty && !places.contains(where: isDenied)
    }

    /// Whether the words, as the name of a condition, say that it is COVID-19, and nothing else: not that it is suspected, for example.
    var nameInfection: Bool {
        let places = places(of: TargetDisease.covid19.phrases, whole: [])
        return !places.isEmpty
            && words.indices.allSatisfy { index in
                places.contains { $0.contains(index) } || Self.wordsOfInfections.contains(words[index])
            }
    }

    /// Whether the words, as the title of a list, say that all its codes are about a disease, and about no other one.
    func entitle(_ disease: TargetDisease) -> Bool {
        !places(of: disease.titlePhrases, whole: []).isEmpty && !deny(disease) && !nameOther(than: disease)
    }

    /// Whether the words, as a part of the title of a list, deny that all its codes are about a disease.
    func deny(_ disease: TargetDisease) -> Bool {
        places(of: disease.titlePhrases, whole: []).isEmpty
            ? false : words.contains { Self.negations.contains($0) || Self.titleReservations.contains($0) }
    }

    /// Whether the words name another disease, or deny this one.
    func nameOther(than disease: TargetDisease) -> Bool {
        if places(of: disease.phrases, whole: disease.abbreviations).contains(where: isDenied) { return true }
        let others = TargetDisease.allCases.filter { $0 != disease }
        return !places(
            of: TargetDisease.otherPhrases + others.flatMap(\.phrases), whole: others.flatMap(\.abbreviations)
        )
        .isEmpty
    }

    // MARK: Places

    /// Where a phrase begins and ends among the words.
    private func places(of phrases: [String], whole: [String]) -> [Range<Int>] {
        words.indices.flatMap { start -> [Range<Int>] in
            let begins = { (phrase: String) in phrase.utf8.first == words[start].first }
            return phrases.filter(begins).compactMap { end(of: Array($0.utf8), from: start) }.map { start..<$0 }
                + whole.filter { begins($0) && words[start] == Array($0.utf8) }.map { _ in start..<start + 1 }
        }
    }

    /// The end of a phrase that begins with a word. The last word of a phrase may go on, but not with a digit after a digit.
    private func end(of phrase: [UInt8], from start: Int) -> Int? {
        var rest = phrase[...]
        for (index, word) in words[start...].enumerated() {
            guard word.count < rest.count else {
                guard word.starts(with: rest), let last = rest.last else { return nil }
                let next = word.count > rest.count ? word[rest.count] : 0
                let isDigit = { (byte: UInt8) in (0x30...0x39).contains(byte) }
                return isDigit(last) && isDigit(next) ? nil : start + index + 1
            }
            guard rest.starts(with: word) else { return nil }
            rest = rest.dropFirst(word.count)
        }
        return nil
    }

    /// Whether the words before a place, or the one after it, deny it.
    private func isDenied(_ place: Range<Int>) -> Bool {
        if place.upperBound < words.count, Self.suffixes.contains(words[place.upperBound]) { return true }
        for index in words[..<place.lowerBound].indices.reversed() {
            if Self.negations.contains(words[index]) { return true }
            guard Self.fillers.contains(words[index]) else { return false }
        }
        return false
    }

    private static func bytes(_ words: String) -> Set<[UInt8]> {
        Set(words.split(separator: " ").map { Array($0.utf8) })
    }

    /// Words that deny what follows.
    private static let negations = bytes(
        "no non not nor never neither without except excepting excluding excludes exclude excl before prior pre than minus"
    )
    /// Words that may be between such a word and what it denies.
    private static let fillers = bytes(
        "for use used against the a an any of to with in from or about contain contains containing include includes "
            + "including related vaccine vaccines vaccination")
    /// Words in the names of conditions that leave an infection what it is.
    private static let wordsOfInfections = bytes(
        "a an the of by with to due caused disease disorder infection infections illness virus coronavirus 2019 acute confirmed "
            + "identified laboratory pneumonia diagnosis and")
    /// Words that deny what they follow.
    private static let suffixes = bytes("free excluded")
    /// Words by which a title says that a list has other codes as well.
    private static let titleReservations = bytes(
        "with including includes include era pandemic period during since after other others era times")
}
