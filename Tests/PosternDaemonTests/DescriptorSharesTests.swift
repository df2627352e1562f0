import Testing

@testable import PosternDaemon

@Suite("File descriptors for programs and browsers")
struct DescriptorSharesTests {
    @Test(
        "are shared, so that a reserve is left, and neither has none",
        arguments: [
            (0, 4, 2), (20, 4, 2), (64, 10, 5), (128, 52, 26), (256, 138, 64), (431, 254, 64), (432, 256, 64), (1024, 256, 64), (.max, 256, 64),
        ] as [(UInt64, Int, Int)])
    func shares(limit: UInt64, programs: Int, browsers: Int) {
        let shares = DescriptorShares(limit: limit)
        #expect((shares.programs, shares.browsers) == (programs, browsers))
        #expect((shares.warning == nil) == (programs == 256))
        if let warning = shares.warning { #expect(warning.contains("LimitNOFILE= of the service (ulimit -n) to 432 or more")) }
    }
}
