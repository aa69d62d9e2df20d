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

// What is not optimised in a release, or if tests run: the tests, and the commands, which only start what other targets do, and are compiled
// last, when one processor has nothing to do. To optimise them would make a release take half a minute longer. The Makefile asks for this, so
// that it does not affect packages that depend on this one.
let unoptimized: [SwiftSetting] =
    Context.environment["SHCVERIFY_RELEASE"] == nil
    ? []
    : [.unsafeFlags(["-Onone"])]

// Tests are held to the same rules, but for the marks on unsafe code.
let testSettings: [SwiftSetting] =
    [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ] + unoptimized

// The commit that `--version` prints, and the contact for reports. `make release` gives them; Packaging/contact.py checks the contact.
let build: [CSetting] = ["SHCVERIFY_COMMIT", "SHCVERIFY_MAINTAINER", "SHCVERIFY_HOMEPAGE"].compactMap { name in
    guard let value = Context.environment[name], !value.isEmpty else { return nil }
    return .define(name, to: "\"\(value)\"")
}

let subprocess = Target.Dependency.product(name: "Subprocess", package: "swift-subprocess")
let system = Target.Dependency.product(name: "SystemPackage", package: "swift-system")

let package = Package(
    name: "shcverify",
    // Everything else is `package`: what the declarations of these need comes with `import Verification`.
    products: [
        // The door: verifies any input of any kind.
        .library(name: "Verification", targets: ["Verification"]),
        // Writes verdicts as the program does.
        .library(name: "CredentialReports", targets: ["CredentialReports"]),
        // For tests of programs that use these libraries. It can sign, and no program links it.
        .library(name: "VerificationTesting", targets: ["VerificationTesting"]),
        // The client that asks servers, for programs that make requests of their own.
        .library(name: "HTTPSFetch", targets: ["HTTPSFetch"]),
        .executable(name: "shcverify", targets: ["shcverify"]),
        .executable(name: "shcverify-fetch", targets: ["shcverify-fetch"]),
    ],
    // Programs that use the libraries may need other versions. Our own build has those of Package.resolved.
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2", traits: []),
    ],
    targets: [
        // Floor 0
        // OpenSSL and zlib.
        .systemLibrary(
            name: "CLibraries", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev", "zlib1g-dev"])]),
        .target(name: "CLanes"),
        .target(name: "CProcess"),
        .target(name: "CURLHook"),
        .target(name: "CBuild", cSettings: build),
        .target(name: "CData", exclude: ["data"]),
        .target(name: "Encodings", swiftSettings: settings),

        // Floor 1
        .target(
            name: "Cryptography", dependencies: ["Encodings", "CLanes", "CLibraries"], swiftSettings: settings),
        .target(name: "Processes", dependencies: ["CProcess", system], swiftSettings: settings),
        .target(name: "FHIR", dependencies: ["Encodings", "CData"], swiftSettings: settings),

        // Floor 2
        .target(
            name: "HTTPSFetch", dependencies: ["Encodings", "Processes", "CProcess"],
            swiftSettings: settings),
        .target(
            name: "Credentials", dependencies: ["Encodings", "CData", "FHIR"],
            swiftSettings: settings),

        // Floor 3
        .target(name: "Inputs", dependencies: ["Credentials", "Cryptography", "Encodings"], swiftSettings: settings),

        // Floor 4
        .target(
            name: "SMARTHealthCards",
            dependencies: ["Credentials", "Cryptography", "Encodings", "Inputs", "FHIR"],
            swiftSettings: settings),

        .target(
            name: "HealthCertificates",
            dependencies: ["Credentials", "Cryptography", "Encodings", "FHIR", "Inputs"],
            swiftSettings: settings),

        // Floor 5
        .target(
            name: "Directories",
            dependencies: [
                "Credentials", "Cryptography", "Encodings", "FHIR", "HealthCertificates", "Processes",
                "SMARTHealthCards", system,
            ],
            swiftSettings: settings),

        .target(
            name: "Containers",
            dependencies: [
                "Encodings", "Cryptography", "Credentials", "FHIR", "HTTPSFetch", "Inputs", "Processes",
            ],
            swiftSettings: settings),

        // Floor 6
        .target(
            name: "Conformance",
            dependencies: [
                "Credentials", "Cryptography", "Encodings", "Directories", "SMARTHealthCards", "Containers",
                "HealthCertificates", "CData", "Inputs", "FHIR",
            ],
            swiftSettings: settings),
        .target(
            name: "Evidence",
            dependencies: [
                "Credentials", "Cryptography", "Encodings", "Directories", "HTTPSFetch", "Processes",
                "SMARTHealthCards", system,
            ],
            swiftSettings: settings),

        .target(
            name: "CredentialReports",
            dependencies: [
                "Encodings", "CData", "Credentials", "Cryptography", "FHIR", "Containers",
            ],
            swiftSettings: settings),

        // Floor 7
        .target(
            name: "Verification",
            dependencies: [
                "Encodings", "Credentials", "Cryptography", "FHIR", "HTTPSFetch", "HealthCertificates", "Inputs",
                "Evidence", "SMARTHealthCards", "Containers",
            ],
            swiftSettings: settings),
        // Apart from the other reports, so that these do not wait for the compilation of Conformance.
        .target(
            name: "LintReports",
            dependencies: [
                "Credentials", "Conformance", "CredentialReports", "Directories", "HealthCertificates",
                "SMARTHealthCards", "Cryptography", "Encodings",
            ],
            swiftSettings: settings),

        // Floor 8
        .target(
            name: "VerificationTesting",
            dependencies: [
                "Encodings", "Credentials", "Cryptography", "FHIR", "HTTPSFetch", "HealthCertificates",
                "Evidence", "SMARTHealthCards", "Containers", "Verification", "CLibraries",
            ],
            swiftSettings: settings),
        .target(
            name: "Bulk",
            dependencies: [
                "Encodings", "Conformance", "CredentialReports", "Credentials", "Cryptography", "HTTPSFetch",
                "LintReports", "Processes", "Inputs", "Evidence", "SMARTHealthCards", "Verification", "CProcess",
                system,
            ],
            swiftSettings: settings),

        // Floor 9
        .executableTarget(
            name: "shcverify-fetch",
            dependencies: ["Encodings", "HTTPSFetch", "Processes", "CURLHook", "CProcess"],
            swiftSettings: settings,
            // The hook replaces functions of libcurl. The linker exports it for Foundation's library because it sees both.
            linkerSettings: [.linkedLibrary(":libcurl.so.4")]),
        .executableTarget(
            name: "shcverify",
            dependencies: [
                "Bulk", "CredentialReports", "LintReports", "Credentials", "Cryptography", "Encodings", "Directories",
                "SMARTHealthCards", "Containers", "HealthCertificates", "Conformance", "Inputs", "Evidence",
                "Processes", "HTTPSFetch", "FHIR", "CBuild", "CData", "CProcess", "Verification", system,
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings + unoptimized),

        // Tests: one target per source target, and one that runs the built executable
        .testTarget(name: "EncodingsTests", dependencies: ["Encodings", "TestSupport"], swiftSettings: testSettings),
        .testTarget(
            name: "ProcessesTests", dependencies: ["Processes", "CProcess", "TestSupport", system],
            swiftSettings: testSettings),
        .testTarget(
            name: "CryptographyTests",
            dependencies: ["Cryptography", "Encodings", "CLibraries", "TestSupport"],
            swiftSettings: testSettings),
        .testTarget(
            name: "HealthCertificatesTests",
            dependencies: [
                "HealthCertificates", "Credentials", "Cryptography", "Encodings", "FHIR", "TestSupport",
            ],
            swiftSettings: testSettings),
        .testTarget(
            name: "FHIRTests", dependencies: ["FHIR", "Encodings", "TestSupport"], swiftSettings: testSettings
        ),
        .testTarget(
            name: "HTTPSFetchTests",
            dependencies: [
                "Encodings", "Credentials", "HTTPSFetch", "Processes", "Evidence", "SMARTHealthCards", "Cryptography",
                "shcverify-fetch", "TestSupport",
            ],
            swiftSettings: testSettings),
        .testTarget(
            name: "ContainersTests",
            dependencies: [
                "Containers", "Encodings", "Credentials", "Cryptography", "HTTPSFetch", "Inputs", "SMARTHealthCards",
                "TestSupport",
            ],
            swiftSettings: testSettings),
        .testTarget(
            name: "CredentialsTests", dependencies: ["Credentials", "FHIR", "Encodings", "TestSupport"],
            swiftSettings: testSettings),
        .testTarget(
            name: "InputsTests",
            dependencies: ["Credentials", "Cryptography", "Encodings", "Inputs", "TestSupport"],
            swiftSettings: testSettings),
        .testTarget(
            name: "SMARTHealthCardsTests",
            dependencies: [
                "Credentials", "Cryptography", "Encodings", "Inputs", "SMARTHealthCards", "TestSupport",
            ],
            swiftSettings: testSettings),
        .testTarget(
            name: "DirectoriesTests",
            dependencies: [
                "Directories", "Encodings", "Credentials", "Cryptography", "FHIR", "HealthCertificates",
                "SMARTHealthCards", "TestSupport", system,
            ],
            swiftSettings: testSettings),
        .testTarget(
            name: "ConformanceTests",
            dependencies: [
                "Credentials", "Conformance", "Cryptography", "Encodings", "Directories", "SMARTHealthCards",
                "HealthCertificates", "FHIR", "Inputs", "TestSupport",
            ],
            swiftSettings: testSettings),
        .testTarget(
            name: "ReportsTests",
            dependencies: [
                "CredentialReports", "LintReports", "VerificationTesting", "Credentials", "Conformance",
                "SMARTHealthCards", "FHIR", "Encodings", "TestSupport",
            ],
            swiftSettings: testSettings),
        .target(
            name: "TestSupport",
            dependencies: ["Credentials", "Inputs", "Cryptography", "Encodings", "CLibraries"],
            path: "Tests/TestSupport",
            exclude: [
                "ci.py", "combining_marks.py", "complete.py", "duckdb-requirements.txt", "issuer.py", "limited.py",
                "make_chains.py", "pages.py", "second_verifier.py", "share.py", "sign_cards.py", "sign_list.py",
                "sign_snapshot.py", "tables.py", "terminal.py",
            ],
            swiftSettings: testSettings),
        .testTarget(
            name: "EvidenceTests",
            dependencies: [
                "Credentials", "Directories", "Evidence", "HTTPSFetch", "SMARTHealthCards", "Cryptography", "Encodings",
                "TestSupport",
            ],
            swiftSettings: testSettings),
        .testTarget(
            name: "URLSessionTransportTests",
            dependencies: [
                "Credentials", "HTTPSFetch", "Evidence", "Conformance", "SMARTHealthCards",
                "TestSupport", "shcverify-fetch",
            ],
            swiftSettings: testSettings),
        .testTarget(
            name: "VerificationTests",
            dependencies: [
                "Verification", "Credentials", "CredentialReports", "FHIR", "HTTPSFetch", "HealthCertificates",
                "Evidence", "Cryptography", "SMARTHealthCards", "TestSupport",
            ],
            swiftSettings: testSettings),
        .testTarget(
            name: "VerificationTestingTests",
            dependencies: [
                "VerificationTesting", "Verification", "Credentials", "FHIR", "HealthCertificates", "Evidence",
                "Cryptography", "SMARTHealthCards", "Encodings",
            ],
            swiftSettings: testSettings),
        .testTarget(
            name: "BulkTests",
            dependencies: [
                "Bulk", "CredentialReports", "Credentials", "FHIR", "HTTPSFetch", "Evidence", "Cryptography",
                "SMARTHealthCards", "Encodings", "Verification", "VerificationTesting", "TestSupport", system,
            ],
            swiftSettings: testSettings),
        .target(name: "CTestEnvironment", path: "Tests/CTestEnvironment"),
        .testTarget(
            name: "CommandLineTests",
            dependencies: [
                "CTestEnvironment", "Verification", "CredentialReports", "Credentials", "Cryptography", "shcverify",
                "shcverify-fetch", "Evidence", "HTTPSFetch", "Processes", "SMARTHealthCards", "Containers", "FHIR",
                "Encodings", "TestSupport", subprocess, system,
            ],
            swiftSettings: testSettings),
    ]
)

// Targets that are built only if they are asked for. The examples use the libraries as other programs do: by their public
// declarations.
let onRequest: [Target] = [
    // The code in the articles of the libraries' documentation, which Examples/check-articles.py compares.
    .target(
        name: "Articles", dependencies: ["Verification"],
        path: "Examples/Articles", packageAccess: false, swiftSettings: testSettings),
    // A test without fixtures, which is in an article too.
    .testTarget(
        name: "GateTests",
        dependencies: ["Articles", "Verification", "VerificationTesting"],
        path: "Examples/Tests", packageAccess: false, swiftSettings: testSettings),
    .executableTarget(
        name: "kiosk", dependencies: ["Verification"],
        path: "Examples/Kiosk", packageAccess: false, swiftSettings: testSettings),
    // The time of the stages of verifying a card (Benchmarks/bench.py).
    .executableTarget(
        name: "Stages",
        dependencies: ["Credentials", "Cryptography", "SMARTHealthCards", "Encodings"],
        path: "Benchmarks/Stages", swiftSettings: testSettings),
    // One program for all fuzz targets (Fuzzing/README.md). It links libFuzzer.
    .executableTarget(
        name: "Fuzz",
        dependencies: [
            "Encodings", "Cryptography", "CLibraries", "Conformance", "CredentialReports", "Credentials",
            "LintReports", "FHIR", "HTTPSFetch", "HealthCertificates", "Inputs", "Evidence",
            "SMARTHealthCards", "Containers", "TestSupport",
        ],
        path: "Fuzzing/Fuzz", swiftSettings: testSettings,
        linkerSettings: [.unsafeFlags(["-Xclang-linker", "-fsanitize=fuzzer"])]),
]

// SHCVERIFY_TARGETS=GateTests,kiosk builds only these targets, and what they need.
if let names = Context.environment["SHCVERIFY_TARGETS"] {
    package.targets += onRequest
    var needed = Set(names.split(separator: ",").map(String.init))
    precondition(needed.isSubset(of: package.targets.map(\.name)), "SHCVERIFY_TARGETS: there is no such target")
    var isComplete = false
    while !isComplete {
        let found = package.targets.filter { needed.contains($0.name) }.flatMap(\.dependencies).compactMap {
            dependency in
            switch dependency {
            case .byNameItem(let name, _), .targetItem(let name, _): name
            default: nil
            }
        }
        isComplete = needed.isSuperset(of: found)
        needed.formUnion(found)
    }
    package.targets.removeAll { !needed.contains($0.name) }
    package.products = []
}
