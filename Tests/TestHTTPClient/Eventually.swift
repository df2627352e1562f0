import Glibc

/// Waits for something that another thread does and does not tell about. Gives up after 20 s, so only a failing test waits.
func eventually(_ condition: () throws -> Bool) throws -> Bool {
    for _ in 0..<20_000 {
        if try condition() { return true }
        usleep(1000)
    }
    return false
}

/// The pace of a slow sender. Nothing depends on how long it takes.
func usleepOnce() { usleep(10_000) }
