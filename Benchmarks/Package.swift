// swift-tools-version: 6.2
import PackageDescription

// A separate package, so that nothing else depends on the benchmark library. `make bench` runs it, unless BENCH has --quick or
// --no-stages.

let package = Package(
    name: "shcverify-benchmarks",
    platforms: [.macOS(.v13)],
    dependencies: [
        .package(name: "shcverify", path: ".."),
        // Without its traits it has no further dependencies, and does not count allocations. bench.py counts them.
        .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.1", traits: []),
    ],
    targets: [
        .executableTarget(
            name: "Stages",
            dependencies: [
                .product(name: "Benchmark", package: "benchmark"),
                .product(name: "Credentials", package: "shcverify"),
                .product(name: "Deflate", package: "shcverify"),
                .product(name: "JOSE", package: "shcverify"),
                .product(name: "StrictJSON", package: "shcverify"),
                .product(name: "SMARTHealthCards", package: "shcverify"),
            ],
            path: "Benchmarks/Stages",
            plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")])
    ]
)
