import Glibc
import PosternConfiguration

/// Finds programs.
enum Executable {
    /// The program of that name in the directories of the search path.
    static func find(_ name: String, path: String) -> String? { ProgramSearch.find(name, path: path) }

    /// As a shell finds it: a name with a slash is a path.
    static func found(_ name: String, path: String) -> String? {
        name.utf8.contains(UInt8(ascii: "/")) ? (ProgramSearch.isProgram(name) ? name : nil) : find(name, path: path)
    }

    /// A program installed or built together with this one: in the same directory, or else in the search path.
    static func companion(_ name: String, path: String) -> String? {
        if let own = ownPath, let slash = own.unicodeScalars.lastIndex(of: "/") {
            let candidate = own[...slash] + name
            if ProgramSearch.isProgram(String(candidate)) { return String(candidate) }
        }
        return find(name, path: path)
    }

    static var ownPath: String? {
        TextFile.link("/proc/self/exe", limit: Int(PATH_MAX))
    }
}
