@_exported public import Containers
@_exported public import Credentials
@_exported public import Cryptography
// `import Verification` is enough for a program: it brings the types in the declarations of the library, whose modules are no products.
@_exported public import Encodings
@_exported public import Evidence
@_exported public import FHIR
@_exported public import HealthCertificates
@_exported public import SMARTHealthCards

// Not the whole module: its HTTPRequest has the name of that of web servers.
@_exported public import struct HTTPSFetch.CertificateAuthorities
@_exported public import struct HTTPSFetch.FetchProcess
@_exported public import struct HTTPSFetch.InstallationFault
@_exported public import protocol HTTPSFetch.Transport
