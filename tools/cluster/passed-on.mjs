/** Settings of the processes that start:cluster sets itself: addresses, ports, keys and secrets. */
const OWN =
  /_DATABASE_URL$|_RPC_URL$|^REDIS_URL$|^PORT$|_PORT$|^RPC_HOST$|^KAFKA_BROKERS$|^(ACCESS_TOKEN|MEDIA_TICKET)_(KEYS|JWKS)$|^MEDIA_(BYTES_URL|OBJECTS_DIR|OBJECTS_URL)$|^MAIL_(OPENING_KEYS|SEALING_JWKS)$|^(CURSOR|MEDIA_URL|PULSO_AFTER)_SECRETS$|^LOG_LEVEL$/;

/**
 * The part of the environment that is passed on to the processes: the settings that any of them knows (`known`), except
 * those that start:cluster sets itself, and except Kafka's when this machine runs it.
 *
 * @param {NodeJS.ProcessEnv} env
 * @param {Iterable<string>} known
 * @param {boolean} ownEngines
 * @returns {Record<string, string>}
 */
export function passedOn(env, known, ownEngines) {
  const names = [...known].filter((name) => !OWN.test(name) && !(ownEngines && name.startsWith('KAFKA_')));
  return Object.fromEntries(names.flatMap((name) => (env[name] ? [[name, env[name]]] : [])));
}
