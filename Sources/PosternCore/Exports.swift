// Whoever has a value of the core has its secrets at hand.
@_exported import Secrets
