#!/bin/sh
# A SCRAM user for each service, whose password is <SERVICE>_PASSWORD. May run again: then it sets the passwords anew. `admin`, which the
# broker was formatted with, makes them, and the topics.
set -eu
umask 077
cat > /tmp/admin.properties <<PROPERTIES
security.protocol=SASL_PLAINTEXT
sasl.mechanism=SCRAM-SHA-512
sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required username="admin" password="$ADMIN_PASSWORD";
default.api.timeout.ms=240000
request.timeout.ms=20000
PROPERTIES
kafka() { tool=$1; shift; "/opt/kafka/bin/$tool" --bootstrap-server kafka:9092 --command-config /tmp/admin.properties "$@"; }

for name in identity social posts media billing messaging; do
  variable="$(echo "$name" | tr a-z A-Z)_PASSWORD"
  password="$(printenv "$variable")" || { echo "kafka-setup: $variable is not set" >&2; exit 1; }
  kafka kafka-configs.sh --alter --entity-type users --entity-name "$name" --add-config "SCRAM-SHA-512=[password=$password]"
done
