import Glibc

extension SignInNarration.Presentation {
    /// For the person who is at this place.
    static func elsewhere(from place: Place) -> Self {
        .elsewhere(userAtHost: .current(place: place), takesPastes: PasteInput().mayBring)
    }
}

extension SignInNarration.UserAtHost {
    /// This user on this machine.
    static func current(place: Place) -> Self {
        let environment = ProcessEnvironment.current
        var name = [CChar](repeating: 0, count: 256)
        // The last byte stays zero, whatever the length of the name.
        let hasName = gethostname(&name, name.count - 1) == 0
        let hostName = hasName ? String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self) : "this-machine"
        return Self(
            user: environment["USER"] ?? environment["LOGNAME"] ?? "user",
            hostName: hostName, remoteLogin: place.remoteLogin,
            enclosure: place.remoteLogin == nil ? place.enclosure : nil)
    }
}
