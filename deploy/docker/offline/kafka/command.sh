#!/bin/sh
# One of Kafka's commands, by the name that this is called by. Heap and JVM as in Kafka's own: KAFKA_HEAP_OPTS,
# KAFKA_JVM_PERFORMANCE_OPTS. Its log is slf4j's simple one, to the output.
set -eu
case $(basename "$0") in
  kafka-storage.sh) main=kafka.tools.StorageTool ;;
  kafka-server-start.sh) main=kafka.Kafka ;;
  kafka-configs.sh) main=kafka.admin.ConfigCommand ;;
  *) echo "$0: unknown command" >&2; exit 1 ;;
esac
# shellcheck disable=SC2086 # lists of arguments
exec java ${KAFKA_HEAP_OPTS:-} ${KAFKA_JVM_PERFORMANCE_OPTS:-} -Dorg.slf4j.simpleLogger.defaultLogLevel=warn \
  -Dorg.slf4j.simpleLogger.log.kafka.server.KafkaRaftServer=info -cp '/opt/kafka/libs/*' "$main" "$@"
