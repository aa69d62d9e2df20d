// swift-tools-version: 6.2
import PackageDescription

// ARCHITECTURE.md says what each target is for. A target imports only targets on lower floors, which `make lint` checks.

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .strictMemorySafety(),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

// Tests are held to the same rules, but for the marks on unsafe code.
let testSettings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let subprocess = Target.Dependency.product(name: "Subprocess", package: "swift-subprocess")
let system = Target.Dependency.product(name: "SystemPackage", package: "swift-system")

let package = Package(
    name: "shcverify",
    products: [
        .library(name: "SMARTHealthCards", targets: ["SMARTHealthCards"]),
        .library(name: "Credentials", targets: ["Credentials"]),
        .library(name: "IssuerNetwork", targets: ["IssuerNetwork"]),
        .library(name: "Reports", targets: ["Reports"]),
        // What SMARTHealthCards is made of, which Benchmarks/ measures one by one.
        .library(name: "JOSE", targets: ["JOSE"]),
        .library(name: "Deflate", targets: ["Deflate"]),
        .library(name: "JSON", targets: ["JSON"]),
        .executable(name: "shcverify", targets: ["shcverify"]),
        .executable(name: "shcverify-fetch", targets: ["shcverify-fetch"]),
    ],
    // Exact versions, since an executable ships what it was tested with.
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-system", exact: "1.8.1"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", exact: "1.0.2", traits: []),
    ],
    targets: [
        // Floor 0
        .systemLibrary(
            name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .target(name: "CProcess"),
        .target(name: "CURLHook"),
        .target(name: "ProgramArguments"),
        .target(name: "Bytes", swiftSettings: settings),
        .target(name: "JSON", swiftSettings: settings),

        // Floor 1
        .target(name: "Deflate", dependencies: ["CZlib"], swiftSettings: settings),
        .target(name: "Cryptography", dependencies: ["Bytes", "JSON", "COpenSSL"], swiftSettings: settings),
        .target(name: "HTTPSFetch", dependencies: ["JSON", "CProcess", system], swiftSettings: settings),
        .target(name: "FHIR", dependencies: ["Bytes", "JSON"], swiftSettings: settings),

        // Floor 2
        .target(name: "JOSE", dependencies: ["Cryptography", "Bytes", "JSON"], swiftSettings: settings),
        .target(name: "Credentials", dependencies: ["Bytes", "FHIR", "JSON"], swiftSettings: settings),
        .target(
            name: "URLSessionTransport", dependencies: ["HTTPSFetch", "CURLHook"], swiftSettings: settings),

        // Floor 3
        .target(
            name: "SMARTHealthCards",
            dependencies: ["Credentials", "Cryptography", "Bytes", "JOSE", "Deflate", "FHIR", "JSON"],
            swiftSettings: settings),

        // Floor 4
        .target(
            name: "Conformance",
            dependencies: [
                "Credentials", "Cryptography", "Bytes", "SMARTHealthCards", "JOSE", "Deflate", "FHIR", "JSON",
            ],
            swiftSettings: settings),
        .target(
            name: "IssuerNetwork",
            dependencies: [
                "Credentials", "Cryptography", "Bytes", "HTTPSFetch", "SMARTHealthCards", "JOSE", "JSON", system,
            ],
            swiftSettings: settings),

        // Floor 5
        .target(
            name: "Reports",
            dependencies: ["Credentials", "Conformance", "SMARTHealthCards", "FHIR", "JSON", "Cryptography", "Bytes"],
            swiftSettings: settings),

        // Floor 6
        .executableTarget(
            name: "shcverify-fetch",
            dependencies: ["URLSessionTransport", "HTTPSFetch", "CURLHook", "CProcess", "ProgramArguments"],
            swiftSettings: settings,
            // The hook stands in front of libcurl's own functions, so a dynamic build has to export them.
            linkerSettings: [
                .unsafeFlags([
                    "-Xlinker", "--export-dynamic-symbol=curl_easy_init",
                    "-Xlinker", "--export-dynamic-symbol=curl_easy_setopt",
                    "-Xlinker", "--export-dynamic-symbol=curl_multi_setopt",
                ])
            ]),
        .executableTarget(
            name: "shcverify",
            dependencies: [
                "Reports", "Credentials", "Cryptography", "Bytes", "SMARTHealthCards", "Conformance", "IssuerNetwork",
                "HTTPSFetch", "FHIR", "JOSE", "Deflate", "JSON", "CProcess", "ProgramArguments", system,
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings),

        // Tests: one target per source target, and one that runs the built executable
        .testTarget(name: "BytesTests", dependencies: ["Bytes", "TestSupport"], swiftSettings: testSettings),
        .testTarget(name: "JSONTests", dependencies: ["JSON", "TestSupport"], swiftSettings: testSettings),
        .testTarget(
            name: "CryptographyTests",
            dependencies: ["Cryptography", "Bytes", "JOSE", "JSON", "COpenSSL", "TestSupport"],
            swiftSettings: testSettings),
        .testTarget(
            name: "JOSETests", dependencies: ["JOSE", "Cryptography", "Bytes", "JSON", "TestSupport"],
            swiftSettings: testSettings),
        .testTarget(name: "DeflateTests", dependencies: ["Deflate", "CZlib"], swiftSettings: testSettings),
        .testTarget(name: "FHIRTests", dependencies: ["FHIR", "JSON", "TestSupport"], swiftSettings: testSettings),
        .testTarget(
            name: "HTTPSFetchTests",
            dependencies: ["Credentials", "HTTPSFetch", "IssuerNetwork", "SMARTHealthCards", "JOSE", "TestSupport"],
            swiftSettings: testSettings),
        .testTarget(
            name: "CredentialsTests", dependencies: ["Credentials", "JSON"], swiftSettings: testSettings),
        .testTarget(
            name: "SMARTHealthCardsTests",
            dependencies: [
                "Credentials", "Cryptography", "Bytes", "SMARTHealthCards", "JOSE", "Deflate", "JSON", "TestSupport",
            ],
            swiftSettings: testSettings),
        .testTarget(
            name: "ConformanceTests",
            dependencies: [
                "Credentials",
                "Conformance", "Cryptography", "Bytes", "SMARTHealthCards", "JOSE", "Deflate", "FHIR", "JSON",
                "TestSupport",
            ],
            swiftSettings: testSettings),
        .testTarget(
            name: "ReportsTests",
            dependencies: [
                "Reports", "Credentials", "Conformance", "SMARTHealthCards", "FHIR", "JSON", "TestSupport",
            ],
            swiftSettings: testSettings),
        .target(
            name: "TestSupport", dependencies: ["JOSE", "Cryptography", "Bytes", "JSON", "COpenSSL"],
            path: "Tests/TestSupport",
            exclude: [
                "combining_marks.py", "issuer.py", "limited.py", "make_chains.py", "sign_cards.py", "sign_snapshot.py",
            ],
            swiftSettings: testSettings),
        .testTarget(
            name: "IssuerNetworkTests",
            dependencies: [
                "Credentials", "IssuerNetwork", "HTTPSFetch", "SMARTHealthCards", "JOSE", "JSON", "TestSupport",
            ],
            swiftSettings: testSettings),
        .testTarget(
            name: "URLSessionTransportTests",
            dependencies: [
                "Credentials",
                "URLSessionTransport", "HTTPSFetch", "IssuerNetwork", "Conformance", "SMARTHealthCards", "TestSupport",
                "shcverify-fetch",
            ],
            swiftSettings: testSettings),
        .testTarget(
            name: "CommandLineTests",
            dependencies: [
                "Credentials", "shcverify", "shcverify-fetch", "IssuerNetwork", "HTTPSFetch", "SMARTHealthCards",
                "FHIR", "JOSE", "Deflate", "JSON",
                "TestSupport",
                subprocess,
                system,
            ],
            swiftSettings: testSettings),
    ]
)
