#!/bin/sh
# The part of the official image's start that deploy/kubernetes/infra/postgres uses: the first time makes the data directory PGDATA,
# whose superuser `postgres` has POSTGRES_PASSWORD, then runs what the arguments say.
set -eu
if [ "${1:-}" = postgres ] && [ ! -s "$PGDATA/PG_VERSION" ]; then
  : "${POSTGRES_PASSWORD:?is not set}"
  umask 077
  # Made aside and then renamed: a start that was interrupted leaves nothing that looks complete.
  rm -rf "$PGDATA.new"
  printf %s "$POSTGRES_PASSWORD" > /tmp/password
  # shellcheck disable=SC2086 # a list of arguments
  initdb --pgdata="$PGDATA.new" --username=postgres --pwfile=/tmp/password ${POSTGRES_INITDB_ARGS:-}
  rm /tmp/password
  echo 'host all all all scram-sha-256' >> "$PGDATA.new/pg_hba.conf"
  mv "$PGDATA.new" "$PGDATA"
fi
unset POSTGRES_PASSWORD
exec "$@"
