// swift-tools-version: 6.2
import PackageDescription

// A package of its own, since it is built with a sanitizer and coverage, which `make fuzz` asks for. It builds the
// parent's targets from the same sources (Sources is a link), so that what is `package` there can be fuzzed as well and
// nothing else has to be built.

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "shcverify-fuzzing",
    targets: [
        .systemLibrary(name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .target(name: "JSON", swiftSettings: settings),
        .target(name: "JOSE", dependencies: ["JSON", "COpenSSL"], swiftSettings: settings),
        .target(name: "Deflate", dependencies: ["CZlib"], swiftSettings: settings),
        .target(name: "FHIR", dependencies: ["JSON"], swiftSettings: settings),
        .target(
            name: "SMARTHealthCards", dependencies: ["JOSE", "Deflate", "FHIR", "JSON"], swiftSettings: settings),
        .target(
            name: "Conformance", dependencies: ["SMARTHealthCards", "JOSE", "Deflate", "FHIR", "JSON"],
            swiftSettings: settings),
        // One program for all targets, which are chosen when it starts: to link one for each would take longer than
        // to run them. Reports holds links to the executable's own.
        .executableTarget(
            name: "Fuzz",
            dependencies: [
                "Conformance", "SMARTHealthCards", "JOSE", "Deflate", "FHIR", "JSON", "COpenSSL", "CZlib",
            ],
            path: "Fuzz", swiftSettings: settings),
    ]
)
