#!/usr/bin/env bash
# Installs the system packages that isolation needs: bubblewrap (bwrap) and util-linux (setpriv, prlimit, unshare, nsenter).
# With --tests, also those of the end-to-end tests: a browser, a display that nobody looks at, and the libraries of Electron;
# openssl, which certifies web applications in tests; and redis-server, through which a cluster plays. And, where Debian has it, toulbar2, which says in tests and benches
# what the best solution is: without it those tests are skipped.
set -euo pipefail

programs=(bwrap setpriv prlimit unshare nsenter mount)
packages=(bubblewrap util-linux mount)
oracles=()
if [ "${1:-}" = --tests ]; then
  programs+=(chromium Xvfb openssl redis-server)
  packages+=(chromium xvfb openssl redis-server libgtk-3-0 libnss3 libasound2 libgbm1 libxss1 libatk-bridge2.0-0 libdrm2 libxkbcommon0)
  oracles=(toulbar2)
fi
names="${packages[*]}"

have() { for program in "$@"; do command -v "$program" >/dev/null || return 1; done; }
have_all() { have "${programs[@]}"; }
have_oracles() { [ "${#oracles[@]}" -eq 0 ] || have "${oracles[@]}"; }

# Nothing fails for want of an oracle.
install_oracles() {
  have_oracles && return
  if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
    echo "Not here, and not needed: ${oracles[*]}. The tests that want it are skipped." >&2
  elif DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=120 install -q -y --no-install-recommends "${oracles[@]}"; then
    echo "Installed: ${oracles[*]}"
  else
    echo "Not to be had, and not needed: ${oracles[*]}. The tests that want it are skipped." >&2
  fi
}

if have_all; then
  echo "Installed already: $names"
  install_oracles
  exit 0
fi
if [ "$(id -u)" -ne 0 ]; then
  echo "This installs $names and must run as root: sudo npm run setup:debian" >&2
  exit 1
fi
if ! command -v apt-get >/dev/null; then
  echo "There is no apt-get here: install $names with this system's own package manager." >&2
  exit 1
fi

export DEBIAN_FRONTEND=noninteractive
for attempt in 1 2 3; do
  if apt-get -o Acquire::Retries=3 -o DPkg::Lock::Timeout=120 update -q \
    && apt-get -o Acquire::Retries=3 -o DPkg::Lock::Timeout=120 install -q -y --no-install-recommends "${packages[@]}"; then
    break
  fi
  [ "$attempt" -lt 3 ] && sleep $((attempt * 5))
done
if ! have_all; then
  echo "Not everything could be installed ($names): see apt-get's words above." >&2
  exit 1
fi
echo "Installed: $names"
install_oracles
