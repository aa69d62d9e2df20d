// swift-tools-version: 6.2
import PackageDescription

// The house (one row is one target; a target imports only what stands below it):
//
//   4  shcverify, shcverify-fetch
//   3  IssuerNetwork, URLSessionTransport
//   2  SMARTHealthCards
//   1  JOSE, Deflate, FHIR
//   0  JSON, COpenSSL, CZlib

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .strictMemorySafety(),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "shcverify",
    products: [
        .library(name: "SMARTHealthCards", targets: ["SMARTHealthCards"]),
        .library(name: "IssuerNetwork", targets: ["IssuerNetwork"]),
        .executable(name: "shcverify", targets: ["shcverify"]),
        .executable(name: "shcverify-fetch", targets: ["shcverify-fetch"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2", traits: []),
    ],
    targets: [
        // Floor 0
        .systemLibrary(
            name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .target(name: "JSON", swiftSettings: settings),

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
            name: "IssuerNetwork",
            dependencies: [
                "SMARTHealthCards", "JSON",
                .product(name: "Subprocess", package: "swift-subprocess"),
            ],
            swiftSettings: settings),
        .target(name: "CURLHook"),
        .target(
            name: "URLSessionTransport", dependencies: ["IssuerNetwork", "CURLHook"],
            swiftSettings: settings),

        // Floor 4
        .executableTarget(
            name: "shcverify-fetch", dependencies: ["URLSessionTransport", "IssuerNetwork"],
            swiftSettings: settings,
            // The hook stands in front of libcurl's own function, so a dynamic build has to export it.
            linkerSettings: [
                .unsafeFlags(["-Xlinker", "--export-dynamic-symbol=curl_easy_init"])
            ]),
        .executableTarget(
            name: "shcverify",
            dependencies: [
                "SMARTHealthCards", "IssuerNetwork", "FHIR", "JSON",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings),
    ]
)
