#!/bin/sh
# A role and a database for each service, whose password is <SERVICE>_PASSWORD: the role owns its database, and no other role may
# connect to it. May run again: then it only sets the passwords anew. Reads PGHOST, PGUSER, PGPASSWORD.
set -eu
tries=0
until pg_isready --quiet; do
  tries=$((tries + 1))
  [ "$tries" -lt 120 ] || { echo "postgres-setup: $PGHOST did not answer within 4 minutes" >&2; exit 1; }
  sleep 2
done

for name in identity social media billing; do
  variable="$(echo "$name" | tr a-z A-Z)_PASSWORD"
  password="$(printenv "$variable")" || { echo "postgres-setup: $variable is not set" >&2; exit 1; }
  # psql quotes both: `:"name"` as an identifier, `:'name'` as a text. The password comes on the input, not as an argument.
  psql --quiet --no-psqlrc --set=ON_ERROR_STOP=1 --dbname=postgres --set=name="$name" <<SQL
\set password '$password'
SELECT format('CREATE ROLE %I LOGIN', :'name') WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = :'name') \gexec
ALTER ROLE :"name" LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE PASSWORD :'password';
SELECT format('CREATE DATABASE %I OWNER %I', :'name', :'name')
  WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = :'name') \gexec
REVOKE ALL ON DATABASE :"name" FROM PUBLIC;
SQL
  echo "postgres-setup: role and database $name"
done
psql --quiet --no-psqlrc --set=ON_ERROR_STOP=1 --dbname=postgres --command='REVOKE CONNECT ON DATABASE postgres, template1 FROM PUBLIC'
