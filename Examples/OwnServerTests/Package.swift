// swift-tools-version: 6.2
import PackageDescription

// As a server's own package uses the library, except that it names the repository's URL and a version instead of a path.
let package = Package(
    name: "own-server",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "oidc-preflight", path: "../..")],
    targets: [
        .systemLibrary(name: "CLibcrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .target(name: "OwnServer", dependencies: ["CLibcrypto"]),
        .testTarget(
            name: "OwnServerTests",
            dependencies: [
                "OwnServer",
                .product(name: "OIDCPreflight", package: "oidc-preflight"),
                .product(name: "OIDCPreflightTesting", package: "oidc-preflight"),
            ]
        ),
    ]
)
