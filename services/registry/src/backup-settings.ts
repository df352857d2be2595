import { s3Location } from '@pulso/platform/objects/s3-location';
import { loadConfig } from '@pulso/platform/process/load-config';
import { tmpdir } from 'node:os';
import { secret } from '@pulso/platform/process/secret';
import { processSettings } from '@pulso/platform/process/process-settings';
import { z } from 'zod';

const RECIPIENT = /^age1[a-z0-9]{20,}$/;

/** What all commands read: the bucket of backups, by a key that may do what the command does, and a folder for one encrypted dump. */
const place = {
  BACKUP_BUCKET_URL: secret(s3Location),
  BACKUP_WORK_DIR: z.string().default(tmpdir()),
};

const toBackUp = z.object({
  ...place,
  /** The database, by a user who may read it. */
  BACKUP_DATABASE_URL: secret(z.string()),
  /** The service's files, by a key that may list and read them; of media alone. */
  BACKUP_OBJECTS_URL: secret(s3Location.optional()),
  /** Public keys of age, divided by spaces. */
  BACKUP_RECIPIENTS: z
    .string()
    .transform((text) => text.trim().split(/\s+/))
    .refine((keys) => keys.every((key) => RECIPIENT.test(key)), 'must be public keys of age (age1…)'),
});

const toRead = z.object({
  ...place,
  /** A file with the private key. */
  BACKUP_IDENTITY_FILE: z.string(),
});

const toList = z.object(place);
const toWatch = z.object({ ...place, OPERATIONS_PORT: processSettings.OPERATIONS_PORT });

/** What each command that Kubernetes runs reads. @internal for the checks of deploy/kubernetes */
export const BACKUP_COMMANDS = {
  run: { shape: toBackUp.shape, read: (env: NodeJS.ProcessEnv) => loadConfig(toBackUp, env) },
  watch: { shape: toWatch.shape, read: (env: NodeJS.ProcessEnv) => loadConfig(toWatch, env) },
};

export const readBackUpSettings = (env: NodeJS.ProcessEnv) => loadConfig(toBackUp, env);
export const readVerifySettings = (env: NodeJS.ProcessEnv) => loadConfig(toRead, env);
export const readListSettings = (env: NodeJS.ProcessEnv) => loadConfig(toList, env);
export const readWatchSettings = (env: NodeJS.ProcessEnv) => loadConfig(toWatch, env);

/** The service's own settings name what is restored. All throw ConfigError. */
export function readTargetSettings(service: string, env: NodeJS.ProcessEnv) {
  const name = `${service.toUpperCase()}_DATABASE_URL`;
  const schema = z.object({ [name]: z.string(), MEDIA_OBJECTS_URL: s3Location.optional() });
  const read = loadConfig(schema, env) as Record<string, unknown>;
  return {
    url: String(read[name]),
    objects: read['MEDIA_OBJECTS_URL'] as z.output<typeof s3Location> | undefined,
  };
}
