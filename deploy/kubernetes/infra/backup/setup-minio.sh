#!/bin/sh
# The bucket of backups, open to nobody without a key: one key that may list and store there, one that may list and read, and one that may
# list and read media's files. May run again: then it sets the same anew.
set -eu
# mc takes a server from such a variable, so that no password is an argument or in a file.
export MC_HOST_minio="http://$MINIO_ROOT_USER:$MINIO_ROOT_PASSWORD@minio:9000"
export MC_CONFIG_DIR=/tmp/mc
mc mb --quiet --ignore-existing minio/pulso-backups
mc anonymous set none minio/pulso-backups --quiet
# Who has the writer's key may store another object under a name, and never removes the one before.
mc version enable minio/pulso-backups --quiet
mc ilm rule import minio/pulso-backups --quiet < /etc/pulso/lifecycle.json

# user <name> <secret>: with the policy of <name>-policy.json.
user() {
  mc admin policy create minio "backup-$1" "/etc/pulso/$1-policy.json"
  printf '%s\n%s\n' "backup-$1" "$2" | mc admin user add minio
  # `attach` fails where nothing changes.
  mc admin policy attach minio "backup-$1" --user "backup-$1" ||
    mc admin user info minio "backup-$1" | grep -q "PolicyName: backup-$1\$"
}
user writer "$WRITER_SECRET"
user reader "$READER_SECRET"
user files "$FILES_SECRET"
