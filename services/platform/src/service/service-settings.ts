import { z } from 'zod';
import type { JWK } from 'jose';
import type { CursorSecret } from '../auth/sealed-cursor.js';
import { cursorSecrets, publicKeys } from '../process/json-settings.js';
import { settingsFrom } from '../process/settings.js';
import { loadConfig } from '../process/load-config.js';
import { secret } from '../process/secret.js';
import type { ConsistencyWaits } from '../events/consistency-gate.js';
import type { ServiceDefinition } from './define-service.js';
import type { StoreTarget } from './store.js';

/** The settings that a service has in every deployment profile. */
export interface ServiceSettings {
  /** The service's own settings: an instance of its settings class. */
  own: object;
  store: StoreTarget;
  verificationKeys: readonly JWK[];
  cursorSecrets: readonly CursorSecret[];
  waits: ConsistencyWaits;
}

type Definition = Pick<ServiceDefinition, 'name' | 'settings' | 'store' | 'verificationKeys'>;

export const databaseUrlSetting = (service: string) => `${service.toUpperCase()}_DATABASE_URL`;
const databasePoolSetting = (service: string) => `${service.toUpperCase()}_DATABASE_POOL`;

/** The settings of a service's store, by their names in the environment. */
export const storeShape = ({ name, store }: Pick<ServiceDefinition, 'name' | 'store'>) => ({
  [databaseUrlSetting(name)]: secret(store.url),
  [databasePoolSetting(name)]: z.coerce.number().int().min(1).max(200).default(store.defaultPool),
});

/** In milliseconds. A call from outside has 5 s in all: what a write waits here, it has less for its work. */
const waitShape = {
  READ_WAIT_MS: z.coerce.number().int().min(0).max(60_000).default(500),
  WRITE_WAIT_MS: z.coerce.number().int().min(0).max(60_000).default(3_000),
};

/** The schema of everything that the service reads in any profile, by the settings' names in the environment. */
export function serviceShape(definition: Definition): z.ZodRawShape {
  return {
    ...storeShape(definition),
    /** JSON list of `{ kid, secret }`: the first one seals, all open. */
    CURSOR_SECRETS: cursorSecrets,
    ...waitShape,
    /** Ed25519 public JWKs as a JSON list: all verify. */
    ...(definition.verificationKeys ? {} : { ACCESS_TOKEN_JWKS: publicKeys }),
    ...definition.settings.shape,
  };
}

/** Throws ConfigError with the name of each wrong setting. */
export function readServiceSettings(definition: Definition, env: NodeJS.ProcessEnv): ServiceSettings {
  return toServiceSettings(definition, loadConfig(z.object(serviceShape(definition)), env));
}

/** The same, from values that were read with `serviceShape`. */
export function toServiceSettings(definition: Definition, values: Record<string, unknown>): ServiceSettings {
  const own = settingsFrom(definition.settings, values);
  return {
    own,
    store: storeTargetOf(definition, values),
    verificationKeys: definition.verificationKeys?.(own) ?? (values['ACCESS_TOKEN_JWKS'] as JWK[]),
    cursorSecrets: values['CURSOR_SECRETS'] as CursorSecret[],
    waits: { readMs: values['READ_WAIT_MS'] as number, writeMs: values['WRITE_WAIT_MS'] as number },
  };
}

/** Reads only the settings that `migrate` needs: a migration job gets no other secrets. Throws ConfigError. */
export function readStoreTarget(
  definition: Pick<ServiceDefinition, 'name' | 'store'>,
  env: NodeJS.ProcessEnv,
): StoreTarget {
  return storeTargetOf(definition, loadConfig(z.object(storeShape(definition)), env));
}

export function storeTargetOf({ name }: { name: string }, values: Record<string, unknown>): StoreTarget {
  const setting = databaseUrlSetting(name);
  return {
    service: name,
    setting,
    url: values[setting] as string,
    pool: values[databasePoolSetting(name)] as number,
  };
}
