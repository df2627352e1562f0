// PosternValues: values without rules of ours.
//
// Knows times, encodings, endpoint URLs and what is below them, keys, and how to search text by its bytes.
//
// Does not know sign-ins, providers or users: the demo provider links it without them. Hashes and signatures are behind `Cryptography`,
// which PosternCrypto implements.
//
// Imports: Secrets.
// Start: EndpointURL.swift, TextSearch.swift, Cryptography.swift.
