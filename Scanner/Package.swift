// swift-tools-version: 6.2
import PackageDescription

// `shcverify-scan`, which reads pictures and documents. It is a package of its own, because it needs many C libraries, and
// shcverify must build without them. Its sources are in ../Sources (Sources and Tests are links). `make` builds it, and puts the program
// next to shcverify.

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .strictMemorySafety(),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "shcverify-scan",
    products: [.executable(name: "shcverify-scan", targets: ["shcverify-scan"])],
    targets: [
        // Floor 0
        .target(name: "Encodings", swiftSettings: settings),
        .target(name: "CProcess"),
        .target(
            name: "CPictures",
            linkerSettings: [
                "ZXing", "zbar", "png16", "jpeg", "webp", "webpdemux", "gif", "tiff", "heif", "qpdf", "seccomp",
            ].map {
                .linkedLibrary($0)
            }),

        // Floor 9
        .executableTarget(
            name: "shcverify-scan", dependencies: ["Encodings", "CPictures", "CProcess"], swiftSettings: settings),

        // Tests
        // Tries to leave the sandboxes of all programs.
        .executableTarget(name: "SandboxProbe", dependencies: ["CPictures", "CProcess"], path: "Tests/SandboxProbe"),
    ],
    cxxLanguageStandard: .cxx17
)
