// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that what it depends on is nobody else's. `make bench BENCH=--stages` runs it.

let package = Package(
    name: "shcverify-benchmarks",
    platforms: [.macOS(.v13)],
    dependencies: [
        .package(name: "shcverify", path: ".."),
        // Without its traits it counts no allocations, and needs nothing but itself. bench.py counts them.
        .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.1", traits: []),
    ],
    targets: [
        .executableTarget(
            name: "Stages",
            dependencies: [
                .product(name: "Benchmark", package: "benchmark"),
                .product(name: "Deflate", package: "shcverify"),
                .product(name: "JOSE", package: "shcverify"),
                .product(name: "JSON", package: "shcverify"),
                .product(name: "SMARTHealthCards", package: "shcverify"),
            ],
            path: "Benchmarks/Stages",
            plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")])
    ]
)
