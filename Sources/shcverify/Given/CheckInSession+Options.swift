import ArgumentParser
import Containers
import Cryptography
import Encodings
import Processes

extension CheckInSession {
    /// Reads the files of a check-in's options.
    init(_ options: CheckInOptions) throws {
        self.init(origin: options.origin, isStrict: options.isStrict)
        if let path = options.request {
            let bytes = try Self.bytes(path, "--request")
            do throws(Malformed) {
                request = try CheckInRequest(file: bytes)
            } catch {
                throw ValidationError("--request \(path): it \(error).")
            }
        }
        if let path = options.recipientKey { recipientKey = try Self.key(path) }
        if let wanted = request?.encryption?.recipient, let recipientKey, recipientKey.publicKey != wanted {
            throw ValidationError("The key of --recipient-key is not that of --request (recipientPublicKey).")
        }
    }

    /// The private key in a file: a JWK of the type EC on P-256, with `d`.
    private static func key(_ path: String) throws -> P256AgreementKey {
        // The value is not repeated: it could be the key itself.
        let refusal = ValidationError(
            "The file of --recipient-key is not the private key of a request: a JWK, EC P-256 with d.")
        var bytes = try self.bytes(path, "--recipient-key", isSecret: true)
        let numbers = numbers(in: bytes)
        // Overwritten, as far as this program has it.
        _ = SecretBytes(&bytes)
        guard var numbers, let publicKey = try? P256PublicKey(x: numbers.x, y: numbers.y),
            let key = P256AgreementKey(&numbers.secret, publicKey: publicKey)
        else { throw refusal }
        return key
    }

    private static func numbers(in bytes: [UInt8]) -> (secret: [UInt8], x: [UInt8], y: [UInt8])? {
        guard let jwk = try? JSONDocument.parse(bytes), jwk["kty"]?.isString("EC") ?? false,
            jwk["crv"]?.isString("P-256") ?? false
        else { return nil }
        let number = { (name: String) in
            jwk[name]?.stringBytes.flatMap { try? Base64URL.decode($0) }.flatMap { $0.count == 32 ? $0 : nil }
        }
        guard let x = number("x"), let y = number("y"), let secret = number("d") else { return nil }
        return (secret, x, y)
    }

    private static func bytes(_ path: String, _ option: String, isSecret: Bool = false) throws -> [UInt8] {
        do throws(InputReader.Failure) {
            return try InputReader.read(path, limit: 1 << 20)
        } catch {
            throw CommandFailure(
                .unreadable,
                (isSecret ? "the file of \(option) " : "\(option) \(path): ") + "cannot be read: \(error.message)")
        }
    }
}
