/// What browsers ask for on their own beside every page: a door, left ajar.
enum Icon {
    static let bytes = Array(
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect x="6" y="3" width="20" height="26" rx="3" fill="#2f5aa8"/>\
        <path d="M11 29V9l11-4v24z" fill="#e5edfa"/><circle cx="14.5" cy="18" r="1.5" fill="#2f5aa8"/></svg>
        """.utf8)
}
