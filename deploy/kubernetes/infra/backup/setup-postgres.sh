#!/bin/sh
# A role for the backups of each database, <service>_backup with the password <SERVICE>_PASSWORD: it may connect to this database alone,
# and read. May run again: then it only sets the passwords anew. Reads PGHOST, PGUSER, PGPASSWORD.
set -eu
for name in identity social media billing; do
  variable="$(echo "$name" | tr a-z A-Z)_PASSWORD"
  password="$(printenv "$variable")" || { echo "backup-setup: $variable is not set" >&2; exit 1; }
  # psql quotes both: `:"role"` as an identifier, `:'role'` as a text. The password comes on the input, not as an argument.
  psql --quiet --no-psqlrc --set=ON_ERROR_STOP=1 --dbname=postgres --set=database="$name" --set=role="${name}_backup" <<SQL
\set password '$password'
SELECT format('CREATE ROLE %I LOGIN', :'role') WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = :'role') \gexec
ALTER ROLE :"role" LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE PASSWORD :'password';
GRANT pg_read_all_data TO :"role";
GRANT CONNECT ON DATABASE :"database" TO :"role";
SQL
  echo "backup-setup: role ${name}_backup"
done
