package import Credentials
package import Cryptography
import Encodings

extension ExaminedHCERT {
    /// The certificate, decoded as far as possible.
    ///
    /// - Parameters:
    ///   - inflater: inflates zlib streams.
    ///   - raw: inflates raw DEFLATE; nil if there is no memory for that.
    package func inspection(inflater: Inflater, raw: Inflater?) -> CredentialInspection {
        let failure: VerificationFailure? = if case .failure(let failure) = form { failure } else { nil }
        let message = (try? presented.text.get()).flatMap { bytes in
            HCERTText(
                bytes, inflater: inflater, despiteErrors: raw,
                maximumSize: failure?.code == .payloadTooLarge ? 0 : Bounds.payloadSize
            ).message
        }
        let parts = message.flatMap { try? $0.parts.get() }
        return CredentialInspection(
            presented: presented,
            header: parts.flatMap { Self.json(protected: $0.protected, unprotected: $0.unprotected) },
            payload: parts.flatMap { try? CBORDocument.parse(Array($0.payload)) }?.inspectionJSON,
            signatureLength: parts?.signature.count, failure: failure)
    }

    /// Both headers as JSON.
    private static func json(protected: CBORValue?, unprotected: CBORValue) -> JSONValue? {
        var writer = JSONWriter()
        writer.object { writer in
            writer.name("protected")
            writer.value(protected?.headerJSON)
            writer.name("unprotected")
            writer.value(unprotected.headerJSON)
        }
        return try? JSONDocument.parse(writer.bytes)
    }
}
