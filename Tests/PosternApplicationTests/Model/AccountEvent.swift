/// Something that somebody does, or that happens. The numbers choose among what there is then, so that a sequence from which events are
/// taken out is still one.
struct AccountEvent: Equatable, CustomStringConvertible {
    enum Kind: String, CaseIterable {
        case openPage, openCode, answerPage, answerCode, leave, answerLink, linkUnseen, visit
        case useHandle, presentIDToken, presentOwnIDToken, presentAccessToken, resolve
        case createUser, signInByPassword, linkPassword, changeAddress, changePassword
        case unlink, signOut, deleteUser, signInAnonymously, enroll
        case passMoment, passMinutes, passMonth, handOverAddress, restart, crash
        case renew, revoke, tamper, signInUnderName, signInBeside

        /// How often it happens, beside the others.
        var weight: Int {
            switch self {
            case .openPage: 22
            case .answerPage: 20
            case .openCode, .answerCode: 5
            case .presentIDToken, .presentAccessToken, .createUser, .signInByPassword: 6
            case .linkPassword, .changeAddress, .changePassword, .unlink: 6
            case .useHandle, .enroll, .signInBeside, .answerLink: 7
            case .signOut, .resolve, .passMinutes, .linkUnseen, .visit: 4
            case .crash: 5
            case .leave, .presentOwnIDToken, .signInAnonymously, .passMoment, .handOverAddress, .renew, .signInUnderName: 3
            case .deleteUser, .passMonth, .restart, .tamper, .revoke: 2
            }
        }
    }

    var kind: Kind
    /// Four numbers of 16 bits.
    var choices: [Int]

    var description: String { "\(kind.rawValue)(\(choices.map(String.init).joined(separator: ",")))" }

    static func == (one: Self, other: Self) -> Bool { one.kind == other.kind && one.choices == other.choices }

    static func sequence(seed: UInt64, count: Int) -> [AccountEvent] {
        var numbers = SeededNumbers(seed: seed)
        let kinds = Kind.allCases.flatMap { Array(repeating: $0, count: $0.weight) }
        return (0..<count).map { _ in
            let kind = kinds[numbers.next(below: kinds.count)]
            let bits = numbers.next()
            return AccountEvent(kind: kind, choices: [Int(bits & 0xFFFF), Int(bits >> 16 & 0xFFFF), Int(bits >> 32 & 0xFFFF), Int(bits >> 48)])
        }
    }
}

/// The same for the same seed, on every machine (splitmix64).
struct SeededNumbers {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func next(below bound: Int) -> Int { Int(next() % UInt64(bound)) }
}

extension AccountEvent {
    /// As ``description``.
    init(parsing text: String) throws {
        let parts = text.split(separator: "(")
        guard parts.count == 2, let kind = Kind(rawValue: String(parts[0])) else { throw TestFailure("\(text) is no event") }
        self.init(kind: kind, choices: parts[1].dropLast().split(separator: ",").compactMap { Int($0) })
    }
}
