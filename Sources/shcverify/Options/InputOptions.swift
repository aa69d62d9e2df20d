import ArgumentParser
import LocalFiles

/// The inputs to read cards from.
struct InputOptions: ParsableArguments {
    @Argument(
        help:
            "A file with cards, a picture or PDF of QR codes, or - for standard input. The content decides how it is read, not the name.",
        completion: .file())
    var input: [GivenValues] = []

    @Option(
        name: .customLong("qr"),
        help: "The text of a QR code (shc:/…, HC1:… or shlink:/…). Repeat it for the parts of one card, in any order.")
    var qr: [GivenValues] = []

    /// Whether there is nothing to read.
    var isEmpty: Bool { input.isEmpty && qr.isEmpty }

    /// Whether standard input is one of the inputs.
    var readsStandardInput: Bool { input.all.contains { InputReader.isStandardInput($0) } }

    /// Throws if there is nothing to read.
    func requireInput() throws {
        guard !isEmpty else {
            throw ValidationError("Nothing to read: name a file, - for standard input, or give --qr.")
        }
    }

    func validate() throws {
        guard input.all.count(where: { InputReader.isStandardInput($0) }) <= 1 else {
            throw ValidationError("Standard input can be read only once.")
        }
    }
}
