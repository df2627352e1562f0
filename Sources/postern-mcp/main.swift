import Glibc

// Must happen before anything is opened.
StandardDescriptors.open()
Program.run()
