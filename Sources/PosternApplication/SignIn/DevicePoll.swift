import PosternCore

/// A code that waits for its person, and when the provider is asked next whether they have come.
struct DevicePoll {
    var polling: DevicePolling
    let device: DeviceAuthorization
    /// The next question; nil while one is under way.
    var timer: (any PendingTimer)?
}
