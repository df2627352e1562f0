// Whoever has a value of the interface has its secrets at hand.
@_exported import Secrets
