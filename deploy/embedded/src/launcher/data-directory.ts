import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { generateSigningKey } from '@pulso/platform/auth/access-token';
import { generateSealingKey } from '@pulso/platform/auth/sealed-message';
import type { JWK } from 'jose';
import { StartError, explainFileError } from './start-error.js';

/** Incremented whenever an older Pulso could no longer read the directory of a newer one. */
const FORMAT = 1;

/** The secrets of the installation. The first key of each list signs or seals, all verify or open. */
export interface Secrets {
  postgresPassword: string;
  documentStorePassword: string;
  signingKeys: JWK[];
  cursor: { kid: string; secret: string }[];
  pulsoAfter: { kid: string; secret: string }[];
  /** Sign media's tickets for posts and identity. */
  mediaTicketKeys: JWK[];
  /** Sign the addresses of files. */
  mediaUrl: { kid: string; secret: string }[];
  /** Open what identity seals for the mail worker. */
  mailSealingKeys: JWK[];
  /** Of the simulator of Stripe, in the form of Stripe's own. */
  stripeSimulator: { secretKey: string; webhookSecret: string; connectWebhookSecret: string };
}

/** Earlier versions did not store a password for the document store, what media and the simulator sign with, nor the mail worker's keys. */
type StoredSecrets = Omit<
  Secrets,
  'documentStorePassword' | 'mediaTicketKeys' | 'mediaUrl' | 'mailSealingKeys' | 'stripeSimulator'
> &
  Partial<Secrets>;

export interface DataDirectory {
  path: string;
  isNew: boolean;
  /** Whether the seed has finished; a kill during the seed makes the next start repeat it. */
  seeded: boolean;
  secrets: Secrets;
  noteSeeded(): void;
}

/** Where media keeps its files. */
export const objectsOf = (path: string): string => join(path, 'objects');

/** Whether Pulso has been started on this directory before. */
export const hasData = (path: string): boolean => existsSync(join(path, 'pulso.json'));

/** Opens the data directory, creating it on the first start. Throws StartError with the reason it cannot be used. */
export async function openDataDirectory(path: string): Promise<DataDirectory> {
  try {
    const manifest = readJson<{ format: number; seeded: boolean }>(join(path, 'pulso.json'));
    if (manifest && manifest.format > FORMAT) {
      throw new StartError(
        `PULSO_DATA_DIR: ${path} was written by a newer Pulso (format ${manifest.format}, this one reads ${FORMAT}).`,
      );
    }
    const secretsFile = join(path, 'secrets.json');
    const secrets = { ...(await newSecrets()), ...readJson<StoredSecrets>(secretsFile) };
    writeWhole(secretsFile, secrets);
    const write = (seeded: boolean) => writeWhole(join(path, 'pulso.json'), { format: FORMAT, seeded });
    if (!manifest) write(false);
    return {
      path,
      isNew: !manifest,
      seeded: manifest?.seeded ?? false,
      secrets,
      noteSeeded: () => write(true),
    };
  } catch (error) {
    throw explainFileError(error, path);
  }
}

/**
 * Makes the data directory where it is missing. It is its owner's alone, also one of an earlier version, with all that
 * anybody may have read in it. Where the owner is root, PostgreSQL runs as another account, which may pass through the
 * directory but not list it.
 */
export function createDataDirectory(path: string): void {
  const mode = process.getuid?.() === 0 ? 0o711 : 0o700;
  try {
    makeFolders(path, mode);
    // Never a folder that was there for something else, such as a home.
    if (!hasData(path) && readdirSync(path).length > 0) return;
    tighten(path, mode);
    if (existsSync(objectsOf(path))) tighten(objectsOf(path), 0o700);
  } catch (error) {
    throw explainFileError(error, path);
  }
}

/** Takes what is not in `mode` away. Only the owner can: a volume may be somebody else's. */
function tighten(folder: string, mode: number): void {
  const { uid, mode: found } = statSync(folder);
  const isOwn = process.getuid?.() === uid || process.getuid?.() === 0;
  if (isOwn && (found & 0o777 & ~mode) !== 0) chmodSync(folder, found & 0o777 & mode);
}

/**
 * Creates folders one by one: Node's recursive mkdir never returns where a file system refuses new folders with
 * ENOENT, such as /proc.
 */
function makeFolders(path: string, mode: number): void {
  if (existsSync(path)) {
    if (!statSync(path).isDirectory()) throw Object.assign(new Error(path), { code: 'ENOTDIR' });
    return;
  }
  makeFolders(dirname(path), 0o755);
  mkdirSync(path, { mode });
}

export async function newSecrets(): Promise<Secrets> {
  return {
    postgresPassword: randomSecret(),
    documentStorePassword: randomSecret(),
    signingKeys: [await generateSigningKey()],
    cursor: [{ kid: '1', secret: randomSecret() }],
    pulsoAfter: [{ kid: '1', secret: randomSecret() }],
    mediaTicketKeys: [await generateSigningKey()],
    mediaUrl: [{ kid: '1', secret: randomSecret() }],
    mailSealingKeys: [await generateSealingKey()],
    stripeSimulator: {
      secretKey: `sk_test_${randomLetters()}`,
      webhookSecret: `whsec_${randomLetters()}`,
      connectWebhookSecret: `whsec_${randomLetters()}`,
    },
  };
}

const randomSecret = () => randomBytes(32).toString('base64url');

/** Stripe's keys and secrets have letters and digits alone. */
const randomLetters = () => randomBytes(24).toString('hex');

export function readJson<T>(file: string): T | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as T;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Writes a file atomically: it contains either the old or the new content. Only the owner may read it. */
export function writeWhole(file: string, content: unknown): void {
  const staging = `${file}.new`;
  writeFileSync(staging, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600, flush: true });
  renameSync(staging, file);
}
