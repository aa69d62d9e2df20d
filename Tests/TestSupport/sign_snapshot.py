"""Signs snapshots of a directory for tests, as VCI does: ECDSA on P-521 with SHA-512, in DER.

    sign_snapshot.py DIRECTORY

Writes DIRECTORY/signer.pem, the certificate of a new key, and for each FILE.json in the directory its signature, FILE.sig.
"""

import datetime
import pathlib
import sys

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

directory = pathlib.Path(sys.argv[1])
key = ec.generate_private_key(ec.SECP521R1())
name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "test directory")])
now = datetime.datetime.utcnow()
certificate = (
    x509.CertificateBuilder()
    .subject_name(name)
    .issuer_name(name)
    .public_key(key.public_key())
    .serial_number(1)
    .not_valid_before(now)
    .not_valid_after(now + datetime.timedelta(days=1))
    .sign(key, hashes.SHA512())
)
(directory / "signer.pem").write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
for file in directory.glob("*.json"):
    file.with_suffix(".sig").write_bytes(key.sign(file.read_bytes(), ec.ECDSA(hashes.SHA512())))
