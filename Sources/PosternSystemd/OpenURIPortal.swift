import CSystemd

/// Opens a page through the desktop portal (org.freedesktop.portal.OpenURI), which asks the desktop for its browser.
public enum OpenURIPortal {
    /// Blocks for three seconds at most.
    public static func open(_ url: String) throws(LaunchError) {
        do throws(BusError) {
            let bus = try Bus()
            try bus.call(
                "org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop", "org.freedesktop.portal.OpenURI", "OpenURI"
            ) { message in
                firstError(
                    // No parent window.
                    { postern_bus_append_string(message, "") }, { postern_bus_append_string(message, url) },
                    { sd_bus_message_open_container(message, CChar(UInt8(ascii: "a")), "{sv}") },
                    { sd_bus_message_close_container(message) })
            } read: { _ throws(BusError) in
            }
        } catch {
            throw LaunchError("the desktop portal did not open the page: \(error)")
        }
    }
}
