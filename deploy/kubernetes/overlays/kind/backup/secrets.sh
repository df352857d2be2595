#!/usr/bin/env bash
# Makes the Secrets of the module `backup` on a cluster of one machine, as ../secrets.sh makes the others, which it types first. The private
# key, without which no backup can be read, stays on this machine: in ~/.config/pulso/backup-<context>.key (XDG_CONFIG_HOME). Needs
# also age-keygen, or docker with the image pulso/backup, which has it.
source "$(dirname "${BASH_SOURCE[0]}")/../secrets.sh"

context=${SKAFFOLD_KUBE_CONTEXT:-$(kubectl config current-context)}
key=${XDG_CONFIG_HOME:-$HOME/.config}/pulso/backup-${context//\//_}.key
make_key() {
  local image
  if command -v age-keygen > /dev/null; then age-keygen; return; fi
  image=$(docker image ls --format '{{.Repository}}:{{.Tag}}' pulso/backup | head -n 1)
  [ -n "$image" ] || die 'neither age-keygen nor the image pulso/backup is there: deploy/docker/build backup'
  docker run --rm --network none --entrypoint age-keygen "$image"
}
if [ ! -e "$key" ]; then
  ! exists secret/backup || die "secret/backup is there, and its private key $key is not: without it no backup can be read"
  mkdir -p "$(dirname "$key")"
  make_key > "$work/key" 2> "$work/said" || die "no key could be made: $(cat "$work/said")"
  mv "$work/key" "$key"
  echo "the private key of backups is in $key: keep a copy of it elsewhere"
fi
recipient=$(sed -n 's/^# public key: //p' "$key")
[ -n "$recipient" ] || die "$key does not name its public key"

secret backup-users IDENTITY_PASSWORD="$(password)" SOCIAL_PASSWORD="$(password)" MEDIA_PASSWORD="$(password)" \
  BILLING_PASSWORD="$(password)" WRITER_SECRET="$(password)" READER_SECRET="$(password)" FILES_SECRET="$(password)"
reading_url() { echo "postgresql://$1_backup:$(value backup-users "$(password_key "$1")")@postgres:5432/$1"; }
secret backup BACKUP_RECIPIENTS="$recipient" \
  BACKUP_BUCKET_URL="http://backup-writer:$(value backup-users WRITER_SECRET)@minio:9000/pulso-backups" \
  IDENTITY_DATABASE_URL="$(reading_url identity)" SOCIAL_DATABASE_URL="$(reading_url social)" \
  MEDIA_DATABASE_URL="$(reading_url media)" BILLING_DATABASE_URL="$(reading_url billing)" \
  POSTS_DATABASE_URL="$(mongodb_url posts)" MESSAGING_DATABASE_URL="$(mongodb_url messaging)" \
  MEDIA_OBJECTS_URL="http://backup-files:$(value backup-users FILES_SECRET)@minio:9000/pulso-media"
secret restore BACKUP_BUCKET_URL="http://backup-reader:$(value backup-users READER_SECRET)@minio:9000/pulso-backups"
