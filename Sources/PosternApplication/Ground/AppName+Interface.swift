import PosternCore
import PosternInterface

extension AppName {
    /// - Returns: the name, whose length is limited, and which is fit to be shown; that of all programs without one for nil.
    static func checked(_ name: String?) throws(InterfaceError) -> AppName {
        guard let name else { return "default" }
        guard (1...128).contains(name.utf8.count), name.unicodeScalars.allSatisfy(\.isFitToShow) else { throw .invalidParameter("app") }
        return AppName(name)
    }
}

extension Unicode.Scalar {
    /// Neither moves the cursor nor changes the direction of the text around it, on a page or in a terminal.
    var isFitToShow: Bool {
        switch properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
        default: true
        }
    }
}
