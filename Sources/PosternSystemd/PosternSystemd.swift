// PosternSystemd: systemd and the desktop: sockets, journal, readiness, notifications, portals, the keyring.
//
// Knows D-Bus and the journal's protocol. Nothing here blocks the loop: what does not fit is dropped and counted.
//
// Does not know sign-ins. It is the only module that imports libsystemd.
//
// Imports: CProcess, CSystemd, Glibc.
// Start: PassedSockets.swift, Journal.swift, Bus.swift.
