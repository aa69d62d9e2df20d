import Encodings
import Processes

/// A secret that the user gives in a file or in the environment, never as an argument, since other users can see those.
struct SecretInput {
    /// The option with the file.
    let option: String
    /// The environment variable that is read if the option is not given.
    let variable: String
    /// Whether bytes can be such a secret.
    let isRight: (ArraySlice<UInt8>) -> Bool

    private static let longestFile = 64 << 10

    /// The first line of a file, without a byte-order mark. The rest of the file is overwritten in memory too.
    ///
    /// - Parameter wrong: the error if it cannot be such a secret.
    func secret(ofFile path: String, else wrong: @autoclosure () -> any Error) throws -> SecretBytes {
        var content: [UInt8]
        do throws(InputReader.Failure) {
            content = try InputReader.read(path, limit: Self.longestFile)
        } catch {
            // The value is not repeated: it could be the secret itself.
            throw CommandFailure(.unreadable, "the file of \(option) cannot be read: \(error.message)")
        }
        let start = content.prefix(3).elementsEqual([0xEF, 0xBB, 0xBF]) ? 3 : 0
        let range = start..<(content[start...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? content.count)
        // The slices are gone before the content is overwritten, or a copy would be overwritten.
        let canBe = isRight(content[range])
        var line = Array(content[range])
        _ = SecretBytes(&content)
        let secret = SecretBytes(&line)
        guard canBe else { throw wrong() }
        return secret
    }

    /// The secret in the environment; nil if there is none.
    ///
    /// - Parameter wrong: the error if it cannot be such a secret.
    func secretOfEnvironment(else wrong: @autoclosure () -> any Error) throws -> SecretBytes? {
        guard let text = EnvironmentVariable.value(of: variable), !text.isEmpty else { return nil }
        var bytes = Array(text.utf8)
        let canBe = isRight(bytes[...])
        let secret = SecretBytes(&bytes)
        guard canBe else { throw wrong() }
        return secret
    }
}
