/// What a provider gave for a person to type on another device (RFC 8628 section 3.2).
public struct DeviceAuthorization: Sendable, Equatable {
    /// Longer ones nobody types.
    public static let longestUserCode = 64
    /// Seconds: between two questions, and until the code is over. What a provider names beyond is cut to it.
    public static let intervals: ClosedRange<Int64> = 1...300
    public static let longestLife: Int64 = 24 * 3600
    /// Where the provider is silent (section 3.5).
    public static let usualInterval: Int64 = 5

    /// Stands for the sign-in at the token endpoint; whoever has it gets the tokens.
    public var deviceCode: Secret
    /// As the person is to type it; without control characters.
    public var userCode: String
    /// `https`, or `http` to a loopback address.
    public var verificationURI: String
    /// The same with the code in it, for a QR code.
    public var verificationURIComplete: String?
    public var expiresAt: Timestamp
    /// The least that lies between two questions.
    public var intervalSeconds: Int64

    public init(
        deviceCode: Secret, userCode: String, verificationURI: String, verificationURIComplete: String? = nil, expiresAt: Timestamp,
        intervalSeconds: Int64 = usualInterval
    ) {
        self.deviceCode = deviceCode
        self.userCode = userCode
        self.verificationURI = verificationURI
        self.verificationURIComplete = verificationURIComplete
        self.expiresAt = expiresAt
        self.intervalSeconds = intervalSeconds
    }
}
