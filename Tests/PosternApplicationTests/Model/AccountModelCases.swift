/// Sequences that failed once, shrunk, as ``AccountModelTests`` prints them.
enum AccountModelCases {
    static let kept: [String] = []
}
