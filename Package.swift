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
// that it does not stand in the way of packages that depend on this one.
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
        .systemLibrary(
            name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .target(name: "CLanes"),
        .target(name: "CProcess"),
        .target(name: "CURLHook"),
        .target(name: "ProgramArguments"),
        .target(name: "CBuild", cSettings: build),
        .target(name: "CData", exclude: ["data"]),
        .target(name: "Bytes", swiftSettings: settings),
        .target(name: "StrictJSON", swiftSettings: settings),
        .target(name: "ScanProtocol", swiftSettings: settings),
        .target(name: "CBOR", swiftSettings: settings),

        // Floor 1
        .target(name: "Deflate", dependencies: ["CZlib"], swiftSettings: settings),
        .target(
            name: "Cryptography", dependencies: ["Bytes", "StrictJSON", "CLanes", "COpenSSL"], swiftSettings: settings),
        .target(name: "HelperPrograms", dependencies: ["CProcess", system], swiftSettings: settings),
        .target(name: "FHIR", dependencies: ["Bytes", "CData", "StrictJSON"], swiftSettings: settings),

        // Floor 2
        .target(
            name: "HTTPSFetch", dependencies: ["Bytes", "HelperPrograms", "StrictJSON", "CProcess"],
            swiftSettings: settings),
        .target(name: "LocalFiles", dependencies: ["HelperPrograms", system], swiftSettings: settings),
        .target(name: "JOSE", dependencies: ["Cryptography", "Bytes", "StrictJSON"], swiftSettings: settings),
        .target(name: "COSE", dependencies: ["Bytes", "CBOR", "Cryptography"], swiftSettings: settings),
        .target(
            name: "Credentials", dependencies: ["Bytes", "CData", "FHIR", "StrictJSON", "ScanProtocol"],
            swiftSettings: settings),

        // Floor 3
        .target(name: "Inputs", dependencies: ["Credentials", "Bytes", "StrictJSON"], swiftSettings: settings),
        .target(
            name: "URLSessionTransport", dependencies: ["Bytes", "HTTPSFetch", "HelperPrograms", "CURLHook"],
            swiftSettings: settings),

        // Floor 4
        .target(
            name: "Scanning", dependencies: ["Credentials", "HelperPrograms", "Inputs", "ScanProtocol"],
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

        // Floor 5
        .target(
            name: "Directories",
            dependencies: [
                "Credentials", "Cryptography", "Bytes", "FHIR", "HealthCertificates", "HelperPrograms", "LocalFiles",
                "SMARTHealthCards", "JOSE", "StrictJSON", system,
            ],
            swiftSettings: settings),

        .target(
            name: "Containers",
            dependencies: [
                "Bytes", "CBOR", "COSE", "Credentials", "Cryptography", "Deflate", "FHIR", "HTTPSFetch", "Inputs",
                "JOSE",
                "Scanning", "StrictJSON",
            ],
            swiftSettings: settings),

        // Floor 6
        .target(
            name: "Conformance",
            dependencies: [
                "Credentials", "Cryptography", "Bytes", "Directories", "SMARTHealthCards", "Containers",
                "HealthCertificates",
                "CBOR", "CData", "COSE", "Inputs", "JOSE", "Deflate", "FHIR", "StrictJSON", "ScanProtocol",
            ],
            swiftSettings: settings),
        .target(
            name: "Evidence",
            dependencies: [
                "Credentials", "Cryptography", "Bytes", "Directories", "HTTPSFetch", "HelperPrograms",
                "SMARTHealthCards", "JOSE", "StrictJSON", system,
            ],
            swiftSettings: settings),

        .target(
            name: "CredentialReports",
            dependencies: [
                "Bytes", "CData", "Credentials", "Cryptography", "Deflate", "FHIR", "Containers", "ScanProtocol",
                "StrictJSON",
            ],
            swiftSettings: settings),

        // Floor 7
        .target(
            name: "Verification",
            dependencies: [
                "Bytes", "Credentials", "Cryptography", "FHIR", "HTTPSFetch", "HealthCertificates", "Inputs",
                "Evidence", "JOSE", "StrictJSON", "SMARTHealthCards", "Containers",
                "Scanning",
            ],
            swiftSettings: settings),
        // Apart from the other reports, so that these do not wait for the compilation of Conformance.
        .target(
            name: "LintReports",
            dependencies: [
                "Credentials", "Conformance", "CredentialReports", "Directories", "HealthCertificates",
                "SMARTHealthCards", "JOSE", "StrictJSON", "Cryptography", "Bytes",
            ],
            swiftSettings: settings),

        // Floor 8
        .target(
            name: "VerificationTesting",
            dependencies: [
                "Bytes", "Credentials", "Cryptography", "Deflate", "FHIR", "HTTPSFetch", "HealthCertificates",
                "Evidence",
                "JOSE",
                "SMARTHealthCards", "Scanning", "StrictJSON", "Verification", "COpenSSL",
            ],
            swiftSettings: settings),
        .target(
            name: "Bulk",
            dependencies: [
                "Bytes", "Conformance", "CredentialReports", "Credentials", "Cryptography", "HTTPSFetch", "LintReports",
                "HelperPrograms", "Inputs", "Evidence", "LocalFiles", "SMARTHealthCards", "StrictJSON",
                "Verification", "CProcess", system,
            ],
            swiftSettings: settings),

        // Floor 9
        .executableTarget(
            name: "shcverify-fetch",
            dependencies: [
                "URLSessionTransport", "HTTPSFetch", "HelperPrograms", "CURLHook", "CProcess", "ProgramArguments",
            ],
            swiftSettings: settings,
            // The hook stands in front of libcurl's own functions. The linker exports it for Foundation's library because it sees both.
            linkerSettings: [.linkedLibrary(":libcurl.so.4")]),
        .executableTarget(
            name: "shcverify",
            dependencies: [
                "Bulk", "CredentialReports", "LintReports", "Credentials", "Cryptography", "Bytes", "Directories",
                "SMARTHealthCards",
                "Containers",
                "HealthCertificates", "Conformance", "Inputs", "Evidence", "Scanning", "LocalFiles",
                "HelperPrograms", "HTTPSFetch", "FHIR", "JOSE", "StrictJSON", "CBuild", "CData", "CProcess",
                "Verification", "ProgramArguments", system,
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings + unoptimized),

        // Tests: one target per source target, and one that runs the built executable
        .testTarget(name: "BytesTests", dependencies: ["Bytes", "TestSupport"], swiftSettings: testSettings),
        .testTarget(name: "JSONTests", dependencies: ["StrictJSON", "TestSupport"], swiftSettings: testSettings),
        .testTarget(
            name: "CryptographyTests",
            dependencies: ["Cryptography", "Bytes", "JOSE", "StrictJSON", "COpenSSL", "TestSupport"],
            swiftSettings: testSettings),
        .testTarget(
            name: "JOSETests", dependencies: ["JOSE", "Cryptography", "Bytes", "StrictJSON", "TestSupport"],
            swiftSettings: testSettings),
        .testTarget(name: "DeflateTests", dependencies: ["Deflate", "CZlib"], swiftSettings: testSettings),
        .testTarget(name: "CBORTests", dependencies: ["CBOR", "TestSupport"], swiftSettings: testSettings),
        .testTarget(
            name: "COSETests", dependencies: ["COSE", "Bytes", "CBOR", "Cryptography", "TestSupport"],
            swiftSettings: testSettings),
        .testTarget(
            name: "HealthCertificatesTests",
            dependencies: [
                "HealthCertificates", "Credentials", "Cryptography", "Bytes", "CBOR", "COSE", "Deflate", "FHIR",
                "StrictJSON",
                "TestSupport",
            ],
            swiftSettings: testSettings),
        .testTarget(
            name: "FHIRTests", dependencies: ["FHIR", "Bytes", "StrictJSON", "TestSupport"], swiftSettings: testSettings
        ),
        .testTarget(
            name: "HTTPSFetchTests",
            dependencies: [
                "Bytes", "Credentials", "HTTPSFetch", "HelperPrograms", "Evidence", "SMARTHealthCards", "JOSE",
                "shcverify-fetch", "TestSupport",
            ],
            swiftSettings: testSettings),
        .testTarget(
            name: "LocalFilesTests", dependencies: ["LocalFiles", "TestSupport", system], swiftSettings: testSettings),
        .testTarget(
            name: "HelperProgramsTests", dependencies: ["HelperPrograms", "TestSupport"], swiftSettings: testSettings),
        .testTarget(name: "ScanProtocolTests", dependencies: ["ScanProtocol"], swiftSettings: testSettings),
        .testTarget(
            name: "ScanningTests",
            dependencies: ["Scanning", "ScanProtocol", "Credentials", "SMARTHealthCards", "TestSupport"],
            swiftSettings: testSettings),
        .testTarget(
            name: "ContainersTests",
            dependencies: [
                "Containers", "Bytes", "Credentials", "Cryptography", "Deflate", "Inputs", "StrictJSON",
                "TestSupport",
            ],
            swiftSettings: testSettings),
        .testTarget(
            name: "CredentialsTests", dependencies: ["Credentials", "FHIR", "StrictJSON", "TestSupport"],
            swiftSettings: testSettings),
        .testTarget(
            name: "InputsTests",
            dependencies: ["Credentials", "Cryptography", "Bytes", "Inputs", "JOSE", "StrictJSON", "TestSupport"],
            swiftSettings: testSettings),
        .testTarget(
            name: "SMARTHealthCardsTests",
            dependencies: [
                "Credentials", "Cryptography", "Bytes", "Inputs", "SMARTHealthCards", "JOSE", "Deflate", "StrictJSON",
                "TestSupport",
            ],
            swiftSettings: testSettings),
        .testTarget(
            name: "DirectoriesTests",
            dependencies: [
                "Directories", "Bytes", "Credentials", "Cryptography", "FHIR", "HealthCertificates", "SMARTHealthCards",
                "StrictJSON", "TestSupport", system,
            ],
            swiftSettings: testSettings),
        .testTarget(
            name: "ConformanceTests",
            dependencies: [
                "Credentials",
                "Conformance", "Cryptography", "Bytes", "Directories", "SMARTHealthCards", "HealthCertificates", "JOSE",
                "Deflate", "FHIR", "Inputs", "StrictJSON", "ScanProtocol", "TestSupport",
            ],
            swiftSettings: testSettings),
        .testTarget(
            name: "ReportsTests",
            dependencies: [
                "CredentialReports", "LintReports", "VerificationTesting", "Credentials", "Conformance",
                "SMARTHealthCards", "FHIR",
                "StrictJSON",
                "TestSupport",
            ],
            swiftSettings: testSettings),
        .target(
            name: "TestSupport",
            dependencies: ["Credentials", "Inputs", "JOSE", "Cryptography", "Bytes", "StrictJSON", "COpenSSL"],
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
                "Credentials", "Directories", "Evidence", "HTTPSFetch", "SMARTHealthCards", "JOSE", "StrictJSON",
                "TestSupport",
            ],
            swiftSettings: testSettings),
        .testTarget(
            name: "URLSessionTransportTests",
            dependencies: [
                "Credentials",
                "URLSessionTransport", "HTTPSFetch", "Evidence", "Conformance", "SMARTHealthCards", "TestSupport",
                "shcverify-fetch",
            ],
            swiftSettings: testSettings),
        .testTarget(
            name: "VerificationTests",
            dependencies: [
                "Verification", "Credentials", "CredentialReports", "FHIR", "HTTPSFetch", "HealthCertificates",
                "Evidence", "JOSE", "SMARTHealthCards", "TestSupport",
            ],
            swiftSettings: testSettings),
        .testTarget(
            name: "VerificationTestingTests",
            dependencies: [
                "VerificationTesting", "Verification", "Credentials", "FHIR", "HealthCertificates", "Evidence",
                "JOSE",
                "SMARTHealthCards",
                "StrictJSON",
            ],
            swiftSettings: testSettings),
        .testTarget(
            name: "BulkTests",
            dependencies: [
                "Bulk", "CredentialReports", "Credentials", "FHIR", "HTTPSFetch", "Evidence", "JOSE",
                "SMARTHealthCards", "StrictJSON", "Verification", "VerificationTesting", "TestSupport", system,
            ],
            swiftSettings: testSettings),
        .target(name: "CTestEnvironment", path: "Tests/CTestEnvironment"),
        .testTarget(
            name: "CommandLineTests",
            dependencies: [
                "CTestEnvironment",
                "Verification", "CredentialReports", "Credentials", "Cryptography", "shcverify", "shcverify-fetch",
                "Evidence", "HTTPSFetch", "HelperPrograms",
                "SMARTHealthCards",
                "Containers", "FHIR", "JOSE", "Deflate", "StrictJSON",
                "TestSupport",
                subprocess,
                system,
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
        dependencies: ["Credentials", "Cryptography", "Deflate", "JOSE", "SMARTHealthCards", "StrictJSON"],
        path: "Benchmarks/Stages", swiftSettings: testSettings),
    // One program for all fuzz targets (Fuzzing/README.md). It links libFuzzer.
    .executableTarget(
        name: "Fuzz",
        dependencies: [
            "Bytes", "CBOR", "COSE", "COpenSSL", "CZlib", "Conformance", "CredentialReports", "Credentials",
            "LintReports",
            "Cryptography", "Deflate", "FHIR", "HTTPSFetch", "HealthCertificates", "Inputs", "Evidence", "JOSE",
            "SMARTHealthCards", "Containers", "ScanProtocol", "Scanning", "StrictJSON",
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
