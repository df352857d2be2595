#!/usr/bin/env bash
# Makes the Secrets and the ConfigMap `public-keys` of a cluster on one machine, in the namespace `pulso` of kubectl's context, with
# passwords and keys that are new each time. Those that are there already stay as they are, and nothing secret is printed, so it may be
# typed before each deployment. One that lacks a key of this version ends the script, which names it. To have one made anew, delete it
# together with what holds the same password, and type this again.
# Needs bash, openssl and kubectl.
set -euo pipefail
umask 077

NAMESPACE=pulso
# Skaffold may deploy to another context than kubectl's present one.
kubectl() { command kubectl ${SKAFFOLD_KUBE_CONTEXT:+--context "$SKAFFOLD_KUBE_CONTEXT"} "$@"; }
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
namespace_file=$here/../../base/namespace/namespace.yaml
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' TERM

# Ends the script, also from within `$(…)`, whose failure bash passes over where it is part of an argument.
die() {
  echo "secrets.sh: $1" >&2
  kill -TERM $$
  exit 1
}

kubectl get namespace "$NAMESPACE" > /dev/null 2>&1 || kubectl apply --filename "$namespace_file"

# Whether there is `kind/name`. Any other failure than its absence ends the script.
exists() {
  local answer
  answer=$(kubectl --namespace "$NAMESPACE" get "$1" --ignore-not-found --output name) || die "kubectl cannot tell whether there is $1"
  [ -n "$answer" ]
}

# secret <name> KEY=value…: makes the Secret where it is missing. Values go by files: arguments of kubectl can be read by every user.
secret() {
  local name=$1 pair folder
  shift
  folder=$(mktemp -d "$work/XXXXXX")
  for pair in "$@"; do printf %s "${pair#*=}" > "$folder/${pair%%=*}"; done
  make "secret/$name" secret generic "$name" --from-file="$folder"
}

# make <kind/name> <arguments of kubectl create>
make() {
  local target=$1
  shift
  if exists "$target"; then
    echo "$target is there"
    return
  fi
  kubectl --namespace "$NAMESPACE" create "$@" --output name
  kubectl --namespace "$NAMESPACE" label "$target" app.kubernetes.io/part-of=pulso > /dev/null
}

# value <secret> <key>: what the Secret in the cluster holds.
value() {
  local encoded
  encoded=$(kubectl --namespace "$NAMESPACE" get secret "$1" --output "go-template={{index .data \"$2\"}}") &&
    [ -n "$encoded" ] && [ "$encoded" != '<no value>' ] || die "secret/$1 has no $2: delete it, and type this again"
  printf %s "$encoded" | openssl base64 -d -A
}
# The key of a user's password in the Secret of an engine.
password_key() { echo "$(echo "$1" | tr '[:lower:]' '[:upper:]')_PASSWORD"; }

password() { openssl rand -hex 24; }
base64url() { openssl base64 -A | tr '+/' '-_' | tr -d '='; }
# A list as CURSOR_SECRETS has it.
signing_secrets() { printf '[{"kid":"1","secret":"%s"}]' "$(openssl rand -hex 32)"; }

# key_list <curve>: one key, a private JWK. The 32 bytes of a key stand at the end of its DER, of the private one as of the public one.
key_list() {
  local pem=$work/key.pem x d
  openssl genpkey -algorithm "$1" -out "$pem"
  x=$(openssl pkey -in "$pem" -pubout -outform DER | tail -c 32 | base64url)
  d=$(openssl pkey -in "$pem" -outform DER | tail -c 32 | base64url)
  printf '[{"kty":"OKP","crv":"%s","kid":"%s","x":"%s","d":"%s"}]' "$1" "$(openssl rand -hex 8)" "$x" "$d"
}
signing_keys() { key_list Ed25519; }
opening_keys() { key_list X25519; }

# Such a list from the input without its private halves.
public_keys() { sed 's/,"d":"[^"]*"//g'; }

# --- Engines. What their databases hold is lost with these: the engines keep the first passwords in their volumes.

secret postgres POSTGRES_PASSWORD="$(password)" IDENTITY_PASSWORD="$(password)" SOCIAL_PASSWORD="$(password)" \
  MEDIA_PASSWORD="$(password)" BILLING_PASSWORD="$(password)"
secret mongodb MONGO_INITDB_ROOT_USERNAME=root MONGO_INITDB_ROOT_PASSWORD="$(password)" POSTS_PASSWORD="$(password)" \
  MESSAGING_PASSWORD="$(password)" keyfile="$(openssl rand -base64 96 | tr -d '\n')"
secret kafka ADMIN_PASSWORD="$(password)" IDENTITY_PASSWORD="$(password)" SOCIAL_PASSWORD="$(password)" \
  POSTS_PASSWORD="$(password)" MEDIA_PASSWORD="$(password)" BILLING_PASSWORD="$(password)" MESSAGING_PASSWORD="$(password)"
secret redis REDIS_PASSWORD="$(password)"
secret minio MINIO_ROOT_USER=root MINIO_ROOT_PASSWORD="$(password)" MEDIA_KEY=media MEDIA_SECRET="$(password)"

# The inbox's certificate for the name `mail`, and the authority that signed it, whose key is thrown away.
if ! exists secret/mail; then
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 3650 -subj '/CN=Pulso on kind' \
    -addext 'basicConstraints=critical,CA:TRUE' -addext 'keyUsage=critical,keyCertSign' \
    -keyout "$work/ca.key" -out "$work/ca.crt" 2> /dev/null
  openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj '/CN=mail' \
    -keyout "$work/tls.key" -out "$work/tls.csr" 2> /dev/null
  openssl x509 -req -in "$work/tls.csr" -CA "$work/ca.crt" -CAkey "$work/ca.key" -set_serial "0x$(openssl rand -hex 16)" -days 3650 \
    -extfile <(printf 'subjectAltName=DNS:mail,DNS:mail.%s,DNS:mail.%s.svc.cluster.local\n' "$NAMESPACE" "$NAMESPACE") \
    -out "$work/tls.crt" 2> /dev/null
  secret mail tls.crt="$(cat "$work/tls.crt")" tls.key="$(cat "$work/tls.key")" ca.crt="$(cat "$work/ca.crt")"
fi

# --- Processes.

# kafka_user <name>: sets `login` to the settings of this user.
kafka_user() { login=(KAFKA_SASL_USERNAME="$1" KAFKA_SASL_PASSWORD="$(value kafka "$(password_key "$1")")"); }
postgres_url() { echo "postgresql://$1:$(value postgres "$(password_key "$1")")@postgres:5432/$1"; }
# Directly, so that neither the driver nor a policy needs the members' own addresses: the set has one.
mongodb_url() {
  echo "mongodb://$1:$(value mongodb "$(password_key "$1")")@mongodb:27017/$1?directConnection=true&authSource=$1"
}
redis_url="redis://:$(value redis REDIS_PASSWORD)@redis:6379/0"
objects_url="http://$(value minio MEDIA_KEY):$(value minio MEDIA_SECRET)@minio:9000/pulso-media"

kafka_user admin
secret topics "${login[@]}"
kafka_user identity
secret identity "${login[@]}" IDENTITY_DATABASE_URL="$(postgres_url identity)" REDIS_URL="$redis_url" \
  ACCESS_TOKEN_KEYS="$(signing_keys)" CURSOR_SECRETS="$(signing_secrets)"
kafka_user social
secret social "${login[@]}" SOCIAL_DATABASE_URL="$(postgres_url social)" REDIS_URL="$redis_url" CURSOR_SECRETS="$(signing_secrets)"
kafka_user media
secret media "${login[@]}" MEDIA_DATABASE_URL="$(postgres_url media)" MEDIA_OBJECTS_URL="$objects_url" REDIS_URL="$redis_url" \
  MEDIA_TICKET_KEYS="$(signing_keys)" MEDIA_URL_SECRETS="$(signing_secrets)" CURSOR_SECRETS="$(signing_secrets)"
secret media-video MEDIA_DATABASE_URL="$(postgres_url media)" MEDIA_OBJECTS_URL="$objects_url" REDIS_URL="$redis_url"
kafka_user posts
# The same secret of addresses as media's.
secret posts "${login[@]}" POSTS_DATABASE_URL="$(mongodb_url posts)" REDIS_URL="$redis_url" \
  MEDIA_URL_SECRETS="$(value media MEDIA_URL_SECRETS)" CURSOR_SECRETS="$(signing_secrets)"
kafka_user billing
secret billing "${login[@]}" BILLING_DATABASE_URL="$(postgres_url billing)" REDIS_URL="$redis_url" CURSOR_SECRETS="$(signing_secrets)"
kafka_user messaging
secret messaging "${login[@]}" MESSAGING_DATABASE_URL="$(mongodb_url messaging)" REDIS_URL="$redis_url" \
  CURSOR_SECRETS="$(signing_secrets)"
secret messaging-mail MESSAGING_DATABASE_URL="$(mongodb_url messaging)" REDIS_URL="$redis_url" SMTP_URL=smtp://mail:1025 \
  MAIL_OPENING_KEYS="$(opening_keys)"
# Billing has the same ones where it pays through the simulator.
secret stripe-simulator STRIPE_SECRET_KEY="sk_test_$(password)" STRIPE_WEBHOOK_SECRETS="whsec_$(password)" \
  STRIPE_CONNECT_WEBHOOK_SECRETS="whsec_$(password)"
secret gateway REDIS_URL="$redis_url" PULSO_AFTER_SECRETS="$(signing_secrets)"

# --- The public halves of the keys of identity, media and the mail worker.

value identity ACCESS_TOKEN_KEYS | public_keys > "$work/access"
value media MEDIA_TICKET_KEYS | public_keys > "$work/ticket"
value messaging-mail MAIL_OPENING_KEYS | public_keys > "$work/sealing"
make configmap/public-keys configmap public-keys --from-file=ACCESS_TOKEN_JWKS="$work/access" \
  --from-file=MEDIA_TICKET_JWKS="$work/ticket" --from-file=MAIL_SEALING_JWKS="$work/sealing"
for pair in ACCESS_TOKEN_JWKS:access MEDIA_TICKET_JWKS:ticket MAIL_SEALING_JWKS:sealing; do
  there=$(kubectl --namespace "$NAMESPACE" get configmap public-keys --output "go-template={{index .data \"${pair%:*}\"}}")
  if [ "$there" != "$(cat "$work/${pair#*:}")" ]; then
    die 'configmap/public-keys has not the keys that the Secrets have: delete it, and type this again'
  fi
done
