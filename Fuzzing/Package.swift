// swift-tools-version: 6.2
import PackageDescription

// A separate package, because `make fuzz` builds it with a sanitizer and with coverage. It builds the parent's libraries from
// the same sources (Sources is a link), so they are instrumented too, and nothing else has to be built.

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "shcverify-fuzzing",
    dependencies: [.package(url: "https://github.com/apple/swift-system", exact: "1.8.1")],
    targets: [
        .systemLibrary(name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .target(name: "CLanes"),
        .target(name: "Bytes", swiftSettings: settings),
        .target(name: "StrictJSON", swiftSettings: settings),
        .target(name: "CBOR", swiftSettings: settings),
        .target(name: "ScanProtocol", swiftSettings: settings),
        .target(name: "COSE", dependencies: ["Bytes", "CBOR", "Cryptography"], swiftSettings: settings),
        .target(
            name: "Cryptography", dependencies: ["Bytes", "StrictJSON", "CLanes", "COpenSSL"], swiftSettings: settings),
        .target(name: "JOSE", dependencies: ["Cryptography", "Bytes", "StrictJSON"], swiftSettings: settings),
        .target(name: "Deflate", dependencies: ["CZlib"], swiftSettings: settings),
        .target(name: "FHIR", dependencies: ["Bytes", "StrictJSON"], swiftSettings: settings),
        .target(
            name: "Credentials", dependencies: ["Bytes", "FHIR", "StrictJSON", "ScanProtocol"], swiftSettings: settings),
        .target(name: "Inputs", dependencies: ["Credentials", "Bytes", "StrictJSON"], swiftSettings: settings),
        .target(name: "CProcess"),
        .target(
            name: "HelperPrograms",
            dependencies: ["CProcess", .product(name: "SystemPackage", package: "swift-system")],
            swiftSettings: settings),
        .target(
            name: "LocalFiles",
            dependencies: ["HelperPrograms", .product(name: "SystemPackage", package: "swift-system")],
            swiftSettings: settings),
        .target(
            name: "HTTPSFetch", dependencies: ["Bytes", "HelperPrograms", "StrictJSON", "CProcess"],
            swiftSettings: settings),
        .target(
            name: "Scanning", dependencies: ["Credentials", "HelperPrograms", "Inputs", "ScanProtocol"],
            swiftSettings: settings),
        .target(
            name: "SMARTHealthCheckIns",
            dependencies: ["Credentials", "Cryptography", "Bytes", "CBOR", "COSE", "FHIR", "Inputs", "StrictJSON"],
            swiftSettings: settings),
        .target(
            name: "SMARTHealthLinks",
            dependencies: [
                "Credentials", "Cryptography", "Bytes", "Inputs", "JOSE", "Deflate", "HTTPSFetch", "StrictJSON",
            ],
            swiftSettings: settings),
        .target(
            name: "SMARTHealthCards",
            dependencies: ["Credentials", "Cryptography", "Bytes", "Inputs", "JOSE", "Deflate", "FHIR", "StrictJSON"],
            swiftSettings: settings),
        .target(
            name: "HealthCertificates",
            dependencies: [
                "Credentials", "Cryptography", "Bytes", "CBOR", "COSE", "Deflate", "FHIR", "Inputs", "JOSE",
                "StrictJSON",
            ],
            swiftSettings: settings),
        .target(
            name: "Directories",
            dependencies: [
                "Credentials", "Cryptography", "Bytes", "FHIR", "HealthCertificates", "HelperPrograms", "LocalFiles",
                "SMARTHealthCards", "JOSE", "StrictJSON", .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: settings),
        .target(
            name: "Conformance",
            dependencies: [
                "Credentials", "Cryptography", "Bytes", "Directories", "SMARTHealthCards", "SMARTHealthLinks",
                "HealthCertificates", "CBOR", "COSE", "Inputs", "JOSE", "Deflate", "FHIR", "StrictJSON", "ScanProtocol",
            ],
            swiftSettings: settings),
        .target(
            name: "IssuerNetwork",
            dependencies: [
                "Credentials", "Cryptography", "Bytes", "Deflate", "Directories", "HTTPSFetch", "HelperPrograms",
                "SMARTHealthCards", "SMARTHealthLinks", "JOSE", "StrictJSON",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: settings),
        .target(
            name: "CredentialReports",
            dependencies: [
                "Credentials", "Conformance", "Directories", "SMARTHealthCards", "SMARTHealthLinks", "Deflate", "FHIR",
                "JOSE", "StrictJSON", "Cryptography", "Bytes", "ScanProtocol",
            ],
            swiftSettings: settings),
        // One program for all targets. The environment variable FUZZ_TARGET chooses one when the program starts. To link one
        // program for each target would take longer than to run them.
        .executableTarget(
            name: "Fuzz",
            dependencies: [
                "CredentialReports", "Credentials", "Conformance", "SMARTHealthCards", "SMARTHealthLinks", "JOSE",
                "Deflate",
                "FHIR", "Cryptography", "StrictJSON", "Bytes", "COpenSSL", "CZlib", "HealthCertificates", "CBOR",
                "COSE",
                "Inputs", "SMARTHealthCheckIns", "ScanProtocol", "Scanning", "HTTPSFetch", "IssuerNetwork",
            ],
            path: "Fuzz", swiftSettings: settings),
    ]
)
