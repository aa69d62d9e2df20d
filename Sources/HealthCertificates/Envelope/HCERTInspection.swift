import CBOR
import COSE
package import Credentials
package import Deflate
import StrictJSON

extension ExaminedHCERT {
    /// The certificate, decoded as far as possible.
    ///
    /// - Parameter inflater: inflates zlib streams.
    package func inspection(inflater: Inflater) -> CredentialInspection {
        let parts = decoded.map { _ in nil as COSEParts? } ?? partsDespiteErrors(inflater)
        let payload = decoded?.payload ?? parts.flatMap { try? CBORDocument.parse(Array($0.payload)) }
        let header: JSONValue? =
            if let message = decoded?.message {
                Self.json(protected: message.protected, unprotected: message.unprotected)
            } else if let parts {
                Self.json(protected: parts.protected, unprotected: parts.unprotected)
            } else {
                nil
            }
        let failure: VerificationFailure? = if case .failure(let failure) = form { failure } else { nil }
        return CredentialInspection(
            presented: presented, header: header, payload: payload?.inspectionJSON,
            signatureLength: decoded?.message.signature.count ?? parts?.signature.count, failure: failure)
    }

    /// The parts of a message whose headers are wrong; nil if it has not even these parts.
    private func partsDespiteErrors(_ inflater: Inflater) -> COSEParts? {
        var spent = 0
        guard case .failure(let failure) = form, failure.code != .payloadTooLarge,
            let bytes = try? presented.text.get(),
            let message = try? HCERTText.message(
                in: bytes, inflater: inflater, maximumSize: Bounds.payloadSize, spent: &spent)
        else { return nil }
        return try? COSEParts(message)
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
