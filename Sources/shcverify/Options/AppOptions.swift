import ArgumentParser
import Credentials

/// Whose attestations are checked in what patients' apps share.
struct AppOptions: ParsableArguments {
    @Option(
        name: .customLong("app"),
        help: ArgumentHelp(
            "A patient's app whose attestations in shared FHIR content are checked, by its https URL (iss). Its keys are those of "
                + "--jwks ISS=FILE, or else are fetched from it. They sign no cards, unless another option makes this issuer one of cards. "
                + "Repeatable.", valueName: "iss"))
    var app: [GivenValues] = []

    func validate() throws {
        for url in app.all { _ = try Issuer(url, option: "--app") }
    }

    /// The apps.
    var apps: Set<Issuer> { Set(app.all.map { Issuer(unchecked: $0) }) }
}
