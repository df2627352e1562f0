// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "sign-in",
    dependencies: [.package(name: "postern", path: "../../../..")],
    targets: [.executableTarget(name: "sign-in", dependencies: [.product(name: "PosternClient", package: "postern")])]
)
