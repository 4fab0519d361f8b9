#!/bin/sh
# Starts the server (`mingxi` or `mingxi serve`), `mingxi migrate`, or a command (`mingxi wallet:verify`). Settings come from the environment.
set -eu
release=$(dirname "$(dirname "$(readlink -f "$0")")")
if [ "${1:-}" = version ]; then
  exec cat "$release/VERSION"
fi
export NODE_ENV=production STAGE="${STAGE:-production}" DATA_DIR="${DATA_DIR:-/var/lib/mingxi}" PAGES_DIR="$release/pages"
# Compiled by the build; nothing is written there.
export NODE_COMPILE_CACHE="$release/compiled" NODE_COMPILE_CACHE_PORTABLE=1
# @tuning
# The server replaces this shell, so that SIGTERM reaches it.
exec "$release/bin/node" "$release/server/mingxi.mjs" "$@"
