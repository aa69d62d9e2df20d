// swift-tools-version: 6.2
import PackageDescription

// A separate package, because nothing else depends on swift-crypto. `make es256` runs it.

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "shcverify-es256",
    platforms: [.macOS(.v15)],
    dependencies: [.package(url: "https://github.com/apple/swift-crypto", from: "4.5.2")],
    targets: [
        .systemLibrary(
            name: "CLibraries", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev", "zlib1g-dev"])]),
        .target(name: "CLanes"),
        .target(name: "Encodings", swiftSettings: settings),
        .target(
            name: "Cryptography", dependencies: ["Encodings", "CLanes", "CLibraries"], swiftSettings: settings),
        .testTarget(
            name: "ES256Tests",
            dependencies: ["Cryptography", .product(name: "Crypto", package: "swift-crypto")],
            swiftSettings: settings),
    ]
)
