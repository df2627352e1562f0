import PosternClient

/// How a second factor is named to a person.
enum SecondFactorText {
    static func name(_ factor: SecondFactor) -> String {
        let own = factor.displayName.map { " “\($0)”" } ?? ""
        return switch factor.factorID {
        case .totp: "the program that shows codes\(own)".plain
        case .phone: "the telephone \(factor.phoneNumber ?? "")\(own)".plain
        }
    }
}
