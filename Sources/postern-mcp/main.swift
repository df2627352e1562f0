import Bridge
import Glibc

exit(EX_USAGE)
