import { z } from 'zod';

/**
 * The names in the bucket of backups. The rules of retention go by their first part (deploy/kubernetes/infra/backup/lifecycle.json):
 *
 *     databases/<service>/<time>/database.age    the dump of the service's database, encrypted
 *     databases/<service>/<time>/manifest.json   stored last: a backup without it does not exist
 *     files/<service>/<month>/<key>              a file of the service, encrypted; each month begins with all files
 *
 * A time is `20261127-204500`, in UTC.
 */
export const databasesOf = (service: string) => `databases/${service}/`;
export const dumpKey = (service: string, time: string) => `${databasesOf(service)}${time}/database.age`;
export const manifestKey = (service: string, time: string) => `${databasesOf(service)}${time}/manifest.json`;
export const filesOf = (service: string, month: string) => `files/${service}/${month}/`;

const MANIFEST = /^databases\/[a-z]+\/(\d{8}-\d{6})\/manifest\.json$/;
const TIME = /^(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)$/;

/** A time as names have it. */
export const timeName = (time: Date) =>
  time
    .toISOString()
    .replace(/\.\d+Z$/, '')
    .replaceAll(/[-:]/g, '')
    .replace('T', '-');

/** Undefined if it is not the name of a time. */
export function timeOfName(name: string): Date | undefined {
  if (!TIME.test(name)) return undefined;
  const time = new Date(name.replace(TIME, '$1-$2-$3T$4:$5:$6Z'));
  return Number.isNaN(time.getTime()) || timeName(time) !== name ? undefined : time;
}

/** The time of a backup, if `key` is that of its manifest. */
export const timeOfManifest = (key: string): string | undefined => MANIFEST.exec(key)?.[1];

/** Files that are added in a month are stored beside all that were there when it began. */
export const monthOf = (time: Date) => time.toISOString().slice(0, 7);

/** Where a restore keeps what was there before: a schema of PostgreSQL, or what stands before the names of collections. */
export const keptName = (time: Date) => `${KEPT_PREFIX}${timeName(time).replace('-', '_')}`;
export const KEPT_PREFIX = 'before_restore_';

/** What is known of a whole backup. Nothing in it is secret. */
export const manifestSchema = z.object({
  format: z.literal(1),
  service: z.string(),
  /** When the dump began. */
  time: z.string(),
  store: z.enum(['postgres', 'mongo']),
  /** Of `database.age`, as it is stored. */
  database: z.object({ bytes: z.number().int().positive(), sha256: z.string().regex(/^[0-9a-f]{64}$/) }),
  /** Of a service with files: the month under which they all are, how many there were, and how many of them this run has stored. */
  files: z.object({ month: z.string(), count: z.number().int(), added: z.number().int() }).optional(),
});

export type Manifest = z.output<typeof manifestSchema>;
