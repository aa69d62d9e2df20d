// swift-tools-version: 6.2
import PackageDescription

// The house (one row is one target; a target imports only what stands below it):
//
//   4  shcverify, shcverify-fetch
//   3  Conformance, IssuerNetwork, URLSessionTransport
//   2  SMARTHealthCards
//   1  JOSE, Deflate, FHIR
//   0  JSON, COpenSSL, CZlib, CProcess, ProgramArguments

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
        .library(name: "IssuerNetwork", targets: ["IssuerNetwork"]),
        // What SMARTHealthCards is made of, which Benchmarks/ measures one by one.
        .library(name: "JOSE", targets: ["JOSE"]),
        .library(name: "Deflate", targets: ["Deflate"]),
        .library(name: "JSON", targets: ["JSON"]),
        .executable(name: "shcverify", targets: ["shcverify"]),
        .executable(name: "shcverify-fetch", targets: ["shcverify-fetch"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2", traits: []),
    ],
    targets: [
        // Floor 0
        .systemLibrary(
            name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .target(name: "JSON", swiftSettings: settings),
        .target(name: "ProgramArguments"),

        // Floor 1
        .target(name: "JOSE", dependencies: ["JSON", "COpenSSL"], swiftSettings: settings),
        .target(name: "Deflate", dependencies: ["CZlib"], swiftSettings: settings),
        .target(name: "FHIR", dependencies: ["JSON"], swiftSettings: settings),

        // Floor 2
        .target(
            name: "SMARTHealthCards", dependencies: ["JOSE", "Deflate", "FHIR", "JSON"],
            swiftSettings: settings),

        // Floor 3
        .target(
            name: "Conformance", dependencies: ["SMARTHealthCards", "JOSE", "Deflate", "FHIR", "JSON"],
            swiftSettings: settings),
        .target(
            name: "IssuerNetwork",
            dependencies: [
                "SMARTHealthCards", "JOSE", "JSON", "CProcess", system,
            ],
            swiftSettings: settings),
        .target(name: "CProcess"),
        .target(name: "CURLHook"),
        .target(
            name: "URLSessionTransport", dependencies: ["IssuerNetwork", "CURLHook"],
            swiftSettings: settings),

        // Floor 4
        .executableTarget(
            name: "shcverify-fetch",
            dependencies: ["URLSessionTransport", "IssuerNetwork", "CURLHook", "CProcess", "ProgramArguments"],
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
                "SMARTHealthCards", "Conformance", "IssuerNetwork", "FHIR", "JOSE", "Deflate", "JSON", "CProcess",
                "ProgramArguments", system,
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings),

        // Tests: one target per source target, and one that runs the built executable
        .testTarget(name: "JSONTests", dependencies: ["JSON"], swiftSettings: testSettings),
        .testTarget(
            name: "JOSETests", dependencies: ["JOSE", "JSON", "COpenSSL"], exclude: ["make_chains.py"],
            swiftSettings: testSettings),
        .testTarget(name: "DeflateTests", dependencies: ["Deflate", "CZlib"], swiftSettings: testSettings),
        .testTarget(name: "FHIRTests", dependencies: ["FHIR", "JSON"], swiftSettings: testSettings),
        .testTarget(
            name: "SMARTHealthCardsTests", dependencies: ["SMARTHealthCards", "JOSE", "Deflate", "JSON"],
            swiftSettings: testSettings),
        .testTarget(
            name: "ConformanceTests",
            dependencies: ["Conformance", "SMARTHealthCards", "JOSE", "Deflate", "FHIR", "JSON"],
            swiftSettings: testSettings),
        .target(
            name: "TestSupport", path: "Tests/TestSupport",
            exclude: ["combining_marks.py", "issuer.py", "limited.py", "sign_cards.py", "sign_snapshot.py"],
            swiftSettings: testSettings),
        .testTarget(
            name: "IssuerNetworkTests",
            dependencies: ["IssuerNetwork", "SMARTHealthCards", "JOSE", "JSON", "TestSupport"],
            swiftSettings: testSettings),
        .testTarget(
            name: "URLSessionTransportTests",
            dependencies: [
                "URLSessionTransport", "IssuerNetwork", "Conformance", "SMARTHealthCards", "TestSupport",
                "shcverify-fetch",
            ],
            swiftSettings: testSettings),
        .testTarget(
            name: "CommandLineTests",
            dependencies: [
                "shcverify", "shcverify-fetch", "SMARTHealthCards", "FHIR", "Deflate", "JSON", "TestSupport",
                subprocess,
                system,
            ],
            swiftSettings: testSettings),
    ]
)
