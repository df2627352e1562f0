// Secrets: text that must not be seen.
//
// `Secret` prints `<redacted>`, compares in constant time and is wiped when freed; a JSON object can hold some.
//
// Does not know where a secret comes from. Whoever needs the text calls `reveal`, and nothing logs what that returns.
//
// Imports: Glibc, StrictJSON.
// Start: Secret.swift.
