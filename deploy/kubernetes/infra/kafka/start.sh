#!/bin/sh
# Formats the data directory the first time, with the user that makes all others, and starts the broker.
set -eu
/opt/kafka/bin/kafka-storage.sh format --ignore-formatted --config /etc/pulso/server.properties \
  --cluster-id pulso-kafka-on-kind-00 --add-scram "SCRAM-SHA-512=[name=admin,password=$ADMIN_PASSWORD]"
unset ADMIN_PASSWORD
exec /opt/kafka/bin/kafka-server-start.sh /etc/pulso/server.properties
