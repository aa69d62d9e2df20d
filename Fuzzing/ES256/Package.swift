// swift-tools-version: 6.2
import PackageDescription

// A package of its own, since nothing else depends on a second implementation of ES256. `make es256` runs it.

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
        .systemLibrary(name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .target(name: "JSON", swiftSettings: settings),
        .target(name: "JOSE", dependencies: ["JSON", "COpenSSL"], swiftSettings: settings),
        .testTarget(
            name: "ES256Tests",
            dependencies: ["JOSE", .product(name: "Crypto", package: "swift-crypto")], swiftSettings: settings),
    ]
)
