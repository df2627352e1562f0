/// What is stored of a password: enough to recognise it, but not enough to find it without trying every one (RFC 7914).
public struct PasswordHash: Sendable, Equatable {
    /// The work that a guess costs. Stored with the hash, so that it can be raised later.
    public struct Parameters: Sendable, Hashable {
        /// `N`: a power of two.
        public var cost: Int
        /// `r`
        public var blockSize: Int
        /// `p`
        public var parallelization: Int

        public init(cost: Int, blockSize: Int, parallelization: Int) {
            self.cost = cost
            self.blockSize = blockSize
            self.parallelization = parallelization
        }
    }

    public var parameters: Parameters
    public var salt: [UInt8]
    public var hash: Secret
    public var changedAt: Timestamp

    public init(parameters: Parameters, salt: [UInt8], hash: Secret, changedAt: Timestamp) {
        self.parameters = parameters
        self.salt = salt
        self.hash = hash
        self.changedAt = changedAt
    }
}

/// A password could not be checked: there was no thread, or no memory.
public struct PasswordDerivationFailure: Error, Sendable, Hashable, CustomStringConvertible {
    public let description: String

    public init(_ description: String) { self.description = description }
}

extension PasswordHash.Parameters {
    /// Less work for a guesser than with the other, in memory or in time. There is no reason to make a more expensive one cheaper.
    public func isWeaker(than other: Self) -> Bool {
        memory < other.memory || memory * Double(parallelization) < other.memory * Double(other.parallelization)
    }

    /// In floating point, so that no value from a file overflows.
    private var memory: Double { Double(cost) * Double(blockSize) }
}
