import CData
package import Encodings
import Synchronization

extension LintPolicy {
    /// A profile whose rules are added.
    package enum Profile: String, Sendable, CaseIterable {
        /// COVID-19 vaccinations in the USA, as the Vaccination Credential Initiative's tools check them.
        case usaCOVID19Immunization = "usa-covid19-immunization"
        /// HL7's Vaccination & Testing guide: vaccinations, with the data that a card should have.
        case vaccinationDM = "shc-vaccination-dm"
        /// Vaccinations, with the data that a card may have.
        case vaccinationAD = "shc-vaccination-ad"
        /// COVID-19 tests, with the data that a card should have.
        case covid19LaboratoryDM = "shc-covid19-laboratory-dm"
        /// COVID-19 tests, with the data that a card may have.
        case covid19LaboratoryAD = "shc-covid19-laboratory-ad"
        /// Tests for infectious diseases, with the data that a card should have.
        case infectiousDiseaseLaboratoryDM = "shc-infectious-disease-laboratory-dm"
        /// Tests for infectious diseases, with the data that a card may have.
        case infectiousDiseaseLaboratoryAD = "shc-infectious-disease-laboratory-ad"
        /// Insurance cards: HL7's CARIN Digital Insurance Card (C4DIC). No content chooses it.
        case insuranceCard = "carin-insurance-card"
        /// What a patient's app shares: Kill the Clipboard. No content chooses it.
        case patientApp = "ktc"
    }
}

/// What rows of a file cannot say.
struct ProfileCode: Sendable {
    /// The checks of rules with a line `code`, by the names of the rules.
    var checks: [String: RuleCheck] = [:]
    /// What rows `obeys` name.
    var judges: [String: ProfileJudge] = [:]
}

/// A file of profiles of this program. Their rules are rows of the file, and code only if rows cannot say them.
final class ProfileFile: Sendable {
    let names: [LintPolicy.Profile]
    let rules: [Rule]
    private let file: EmbeddedFile
    private let code: ProfileCode
    /// The profiles that were asked for so far.
    private let asked = Mutex<[LintPolicy.Profile: Profile]>([:])

    /// Reads the rules. Their rows are read when a profile is needed.
    private init(_ names: [LintPolicy.Profile], _ file: EmbeddedFile, _ code: ProfileCode) {
        self.names = names
        self.file = file
        self.code = code
        rules = Self.read(file, names, code, rows: false).rules
    }

    /// The profile for cards whose contents have chosen it. Reads its rows anew.
    func chosen(_ name: LintPolicy.Profile) -> Profile { profile(name, isAskedFor: false) }

    private func profile(_ name: LintPolicy.Profile, isAskedFor: Bool) -> Profile {
        let rows = Self.read(file, names, code, rows: true).rows
        return Profile(rows, named: names.count > 1 ? name : nil, isAskedFor: isAskedFor)
    }

    /// The file is part of the program, so a mistake in it ends every run of the tests.
    private static func read(
        _ file: EmbeddedFile, _ names: [LintPolicy.Profile], _ code: ProfileCode, rows: Bool
    ) -> ProfileReader {
        do throws(Malformed) {
            return try ProfileReader(file, profiles: names.count > 1 ? names : [], code: code, readsRows: rows)
        } catch {
            preconditionFailure(error.description)
        }
    }

    /// HL7's guide.
    static let guide: ProfileFile = ProfileFile(
        LintPolicy.Profile.allCases.filter { $0.rawValue.hasPrefix("shc-") }, unsafe EmbeddedFile(data_profile_guide),
        VaccinationGuide.code)

    static let all: [ProfileFile] = [
        guide,
        ProfileFile([.usaCOVID19Immunization], unsafe EmbeddedFile(data_profile_usa), USAProfile.code),
        ProfileFile([.insuranceCard], unsafe EmbeddedFile(data_profile_carin), InsuranceCard.code),
        ProfileFile([.patientApp], unsafe EmbeddedFile(data_profile_ktc), PatientSharedBundle.code),
    ]

    /// A profile that was asked for. Its rows are read once.
    static func profile(_ name: LintPolicy.Profile) -> Profile? {
        guard let file = all.first(where: { $0.names.contains(name) }) else { return nil }
        return file.asked.withLock { asked in
            let profile = asked[name] ?? file.profile(name, isAskedFor: true)
            asked[name] = profile
            return profile
        }
    }
}

/// A profile of the user's own, in a file of the same form (docs/profiles.md).
package struct OwnProfile: Sendable {
    /// The name of the file without its folder and extension.
    package let name: String
    package let rules: [Rule]
    let profile: Profile

    /// The largest file.
    package static let largestSize = 262_144

    /// - Parameters:
    ///   - text: the file.
    ///   - name: the name of the file, which the IDs of the rules have: letters, digits, - and _.
    /// - Throws: what is wrong, and in which line.
    package init(_ text: [UInt8], name: String) throws(Malformed) {
        guard !name.isEmpty, name.utf8.count <= 64, name.utf8.allSatisfy(ProfileReader.isOfName) else {
            throw Malformed("the name of the file needs 1 to 64 letters, digits, - and _ before the first dot")
        }
        self.name = name
        let reader = try ProfileReader(text, prefix: "\(name):")
        rules = reader.rules
        profile = Profile(reader.rows)
    }
}
