#!/bin/sh
# The archive of compose.yaml in /archive (ARCHIVE): `push PATH NAME` and `fetch NAME PATH` are PostgreSQL's archive_command and restore_command,
# `backup DAYS` takes a base backup and removes older ones with the WAL that none of the others needs, `daily DAYS` does so every day.
set -eu
archive=${ARCHIVE:-/archive}

case $1 in
push)
  # Never over another one of that name; the same one again is no error (PostgreSQL asks again after a crash).
  if [ -f "$archive/$3.gz" ]; then
    gzip -dc "$archive/$3.gz" | cmp -s - "$2"
    exit
  fi
  gzip < "$2" > "$archive/$3.gz.part"
  sync "$archive/$3.gz.part"
  mv "$archive/$3.gz.part" "$archive/$3.gz"
  ;;
fetch)
  test -f "$archive/$2.gz"
  gzip -dc "$archive/$2.gz" > "$3"
  ;;
backup)
  name=base-$(date -u +%Y-%m-%dT%H%M%S)
  pg_basebackup -D "$archive/$name.part" -Ft -z -X stream --checkpoint=fast --label="$name"
  mv "$archive/$name.part" "$archive/$name"
  find "$archive" -maxdepth 1 -name 'base-*' -mtime "+$2" ! -name "$name" -exec rm -r {} +
  oldest=$(ls -d "$archive"/base-* | grep -v part | head -n 1)
  # The archive's own record of each backup says from which WAL it needs.
  for record in $(ls "$archive"/*.backup.gz 2> /dev/null); do
    if gzip -dc "$record" | grep -q "^LABEL: $(basename "$oldest")\$"; then
      pg_archivecleanup -x .gz "$archive" "$(basename "$record" .gz)"
      break
    fi
  done
  ;;
daily)
  if [ -n "${PASSWORD_FILE:-}" ]; then
    (umask 077 && echo "*:*:*:*:$(cat "$PASSWORD_FILE")" > "$PGPASSFILE")
  fi
  while :; do
    "$0" backup "$2" || echo "the backup failed; the next try is in an hour" >&2
    if [ -n "$(find "$archive" -maxdepth 1 -name 'base-*' -mmin -120)" ]; then sleep 86400; else sleep 3600; fi
  done
  ;;
*)
  echo "usage: archive.sh push PATH NAME | fetch NAME PATH | backup DAYS | daily DAYS" >&2
  exit 2
  ;;
esac
