#!/bin/sh
# The bucket, open to nobody without a key, and media's key, which can use this bucket alone. May run again: then it sets the same anew.
set -eu
# mc takes a server from such a variable, so that no password is an argument or in a file.
export MC_HOST_minio="http://$MINIO_ROOT_USER:$MINIO_ROOT_PASSWORD@minio:9000"
export MC_CONFIG_DIR=/tmp/mc
tries=0
until mc ready minio --quiet > /dev/null 2>&1; do
  tries=$((tries + 1))
  [ "$tries" -lt 120 ] || { echo 'minio-setup: minio:9000 did not answer within 4 minutes' >&2; exit 1; }
  sleep 2
done
mc mb --quiet --ignore-existing minio/pulso-media
mc anonymous set none minio/pulso-media --quiet
mc admin policy create minio media /etc/pulso/media-policy.json
printf '%s\n%s\n' "$MEDIA_KEY" "$MEDIA_SECRET" | mc admin user add minio
# `attach` fails where nothing changes.
mc admin policy attach minio media --user "$MEDIA_KEY" || mc admin user info minio "$MEDIA_KEY" | grep -q 'PolicyName: media$'
