#!/usr/bin/env bash
# Installs the system packages that isolation needs: bubblewrap (bwrap) and util-linux (setpriv, prlimit).
set -euo pipefail

have_all() { command -v bwrap >/dev/null && command -v setpriv >/dev/null && command -v prlimit >/dev/null; }

if have_all; then
  echo "bubblewrap and util-linux are installed."
  exit 0
fi
if [ "$(id -u)" -ne 0 ]; then
  echo "This installs bubblewrap and util-linux and must run as root: sudo npm run setup:debian" >&2
  exit 1
fi
if ! command -v apt-get >/dev/null; then
  echo "There is no apt-get here: install bubblewrap and util-linux with this system's own package manager." >&2
  exit 1
fi

export DEBIAN_FRONTEND=noninteractive
for attempt in 1 2 3; do
  if apt-get -o Acquire::Retries=3 -o DPkg::Lock::Timeout=120 update -q \
    && apt-get -o Acquire::Retries=3 -o DPkg::Lock::Timeout=120 install -q -y --no-install-recommends bubblewrap util-linux; then
    break
  fi
  [ "$attempt" -lt 3 ] && sleep $((attempt * 5))
done
if ! have_all; then
  echo "bubblewrap and util-linux could not be installed: see apt-get's words above." >&2
  exit 1
fi
echo "Installed bubblewrap and util-linux."
