#!/usr/bin/env bash
# Installs the system packages that isolation needs: bubblewrap (bwrap) and util-linux (setpriv, prlimit, unshare, nsenter).
# With --tests, also those of the end-to-end tests: a browser, a display that nobody looks at, and the libraries of Electron;
# openssl, which certifies web applications in tests; and redis-server, through which a cluster plays. And, where Debian has them: toulbar2, which says in tests and benches
# what the best solution is, minizinc (15 MB), which says it of exported models, and debugpy for Debian's Python (without them those tests
# are skipped), the browser without windows, in which the tests of pages take half the time, nginx, Apache, HAProxy and caddy, with which the examples of docs/hosting.md are tried,
# and zsh and fish (8 MB to download, 37 MB installed), in which completion is tried.
set -euo pipefail

programs=(bwrap setpriv prlimit unshare nsenter mount)
packages=(bubblewrap util-linux mount)
optional=()
if [ "${1:-}" = --tests ]; then
  programs+=(Xvfb openssl redis-server)
  packages+=(xvfb openssl redis-server libgtk-3-0 libnss3 libasound2 libgbm1 libxss1 libatk-bridge2.0-0 libdrm2 libxkbcommon0)
  optional=(toulbar2 minizinc chromium-headless-shell python3-debugpy zsh fish)
  # Their packages start servers where nothing forbids it, as containers do.
  [ -d /run/systemd/system ] || [ ! -x /usr/sbin/policy-rc.d ] || optional+=(nginx-light apache2-bin haproxy caddy)
fi

have() { for program in "$@"; do command -v "$program" >/dev/null || return 1; done; }
have_all() { have "${programs[@]}"; }

# Any of these drives the pages of tests. Ubuntu has no package of Chromium; its machines in the workflows have both.
if [ "${1:-}" = --tests ] && ! have chromium && ! have google-chrome; then
  programs+=(chromium)
  packages+=(chromium)
fi
names="${packages[*]}"

# Nothing fails for want of one of these.
install_optional() {
  local name
  local apt=(apt-get -o Acquire::Retries=3 -o DPkg::Lock::Timeout=120)
  export DEBIAN_FRONTEND=noninteractive
  for name in ${optional[@]+"${optional[@]}"}; do
    have "$name" && continue
    # These have no program of their name.
    dpkg -s "$name" 2>/dev/null | grep -q '^Status: install ok installed' && continue
    if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
      echo "Not here, and not needed: $name." >&2
    # Without lists of packages, which a fresh system may not have, it is tried once more behind them.
    elif "${apt[@]}" install -q -y --no-install-recommends "$name" ||
      { "${apt[@]}" update -q && "${apt[@]}" install -q -y --no-install-recommends "$name"; }; then
      echo "Installed: $name"
    else
      echo "Not to be had, and not needed: $name." >&2
    fi
  done
}

if have_all; then
  echo "Installed already: $names"
  install_optional
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

# Ubuntu 24.04 and Debian 13 have libraries under names that end in t64. Some old names stand for two of them, of which apt-get installs neither.
present_names() {
  local name
  for name in "${packages[@]}"; do
    if [[ $name == lib* ]] && apt-cache show "${name}t64" >/dev/null 2>&1; then name="${name}t64"; fi
    echo "$name"
  done
}

export DEBIAN_FRONTEND=noninteractive
for attempt in 1 2 3; do
  if apt-get -o Acquire::Retries=3 -o DPkg::Lock::Timeout=120 update -q \
    && mapfile -t packages < <(present_names) \
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
install_optional
