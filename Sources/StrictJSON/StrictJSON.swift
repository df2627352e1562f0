// StrictJSON: JSON as every module reads and writes it.
//
// Knows RFC 8259, and refuses what it leaves open: a member twice, numbers that do not fit, text that is not UTF-8. Depth and sizes are
// bounded.
//
// Does not know what the members mean, nor that some are secret. It is at the bottom: it imports nothing, not even Glibc.
//
// Imports: nothing.
// Start: JSON.swift, JSONParser.swift.
