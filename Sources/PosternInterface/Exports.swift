// Code that has a value of the interface also needs the type of its secrets.
@_exported import Secrets
