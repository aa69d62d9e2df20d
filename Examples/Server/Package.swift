// swift-tools-version: 6.2
import PackageDescription

// A separate package, so that nothing else depends on a web server. It uses the libraries as other programs do: by their public
// declarations. `.ci/deep examples` builds and tries it.

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// Libraries of shcverify.
func shcverify(_ names: String...) -> [Target.Dependency] {
    names.map { .product(name: $0, package: "shcverify") }
}

let package = Package(
    name: "verify-server",
    platforms: [.macOS(.v14)],
    dependencies: [
        .package(name: "shcverify", path: "../.."),
        .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1", traits: []),
        .package(url: "https://github.com/apple/swift-log", from: "1.14.0"),
    ],
    targets: [
        .executableTarget(
            name: "verify-server",
            dependencies: [
                .product(name: "Hummingbird", package: "hummingbird"), .product(name: "Logging", package: "swift-log"),
            ]
                + shcverify("CredentialReports", "Verification", "shcverify-fetch"),
            path: ".", swiftSettings: settings)
    ]
)
