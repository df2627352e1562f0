# The Debian 12 packages that each script needs on a machine with only apt; sourced by common.sh, and checked by check-packages.sh.

declare -A packages

# scripts/demo.sh, fuzz.sh and check-static.sh: the libraries, what the Swift tool chain's programs link against and run, and git,
# which fetches the dependencies.
packages[build]="git ca-certificates pkg-config binutils libc6-dev libstdc++-12-dev libcurl4 libncurses6 libxml2
    libssl-dev libsystemd-dev libsqlite3-dev"

# Benchmarks/run.sh and scripts/check-instructions.sh
packages[benchmarks]="${packages[build]} gcc python3 python3-venv openssl procps valgrind"

# scripts/test.sh; glewlwyd itself is unpacked and not installed, see need_glewlwyd.
packages[glewlwyd]="libcbor0.8 libconfig9 libhoel1.4 libiddawc1.1 libjansson4 libldap-2.5-0 liboath0 liborcania2.3 librhonabwy1.1
    libulfius2.7 libyder2.0 sqlite3"
packages[test]="${packages[benchmarks]} ${packages[glewlwyd]} curl socat jq nodejs oathtool zbar-tools iproute2
    chromium chromium-driver libnss3-tools desktop-file-utils libglib2.0-bin xdg-utils xdg-desktop-portal
    xdg-desktop-portal-gtk xdg-dbus-proxy libfaketime
    msmtp mpop isync libsasl2-modules-kdexoauth2 getmail6 neomutt mutt offlineimap3 aerc
    libjansson-dev dbus dbus-bin dbus-user-session gnome-keyring libsecret-tools dunst xvfb systemd systemd-container debootstrap util-linux
    flatpak bubblewrap skopeo gh rclone gnupg oidc-agent-cli mandoc man-db groff-base bash-completion zsh fish tmux"

# scripts/check-deb.sh, besides those for the build
packages[deb]="debhelper dpkg-dev fakeroot lintian python3 desktop-file-utils appstream apparmor systemd-container debootstrap util-linux"

# scripts/check-release.sh
packages[release]="${packages[deb]} rpm rpmlint openssh-client git"

# Not if another package provides kubectl: both contain the same file.
packages[kubectl]="kubernetes-client"
