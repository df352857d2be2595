import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { generateSigningKey } from '@pulso/platform/auth/access-token';
import type { JWK } from 'jose';
import { StartError, explainFileError } from './start-error.js';

/** Incremented whenever an older Pulso could no longer read the directory of a newer one. */
const FORMAT = 1;

/** The secrets of the installation. The first key of each list signs, all verify. */
export interface Secrets {
  postgresPassword: string;
  documentStorePassword: string;
  signingKeys: JWK[];
  cursor: { kid: string; secret: string }[];
  pulsoAfter: { kid: string; secret: string }[];
}

/** Earlier versions did not store a password for the document store. */
type StoredSecrets = Omit<Secrets, 'documentStorePassword'> & Partial<Secrets>;

export interface DataDirectory {
  path: string;
  isNew: boolean;
  /** Whether the seed has finished; a kill during the seed makes the next start repeat it. */
  seeded: boolean;
  secrets: Secrets;
  noteSeeded(): void;
}

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
    const stored = readJson<StoredSecrets>(secretsFile) ?? (await newSecrets());
    const secrets = { ...stored, documentStorePassword: stored.documentStorePassword ?? randomSecret() };
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

export function createDataDirectory(path: string): void {
  try {
    makeFolders(path);
  } catch (error) {
    throw explainFileError(error, path);
  }
}

/**
 * Creates folders one by one: Node's recursive mkdir never returns where a file system refuses new folders with
 * ENOENT, such as /proc.
 */
function makeFolders(path: string): void {
  if (existsSync(path)) {
    if (!statSync(path).isDirectory()) throw Object.assign(new Error(path), { code: 'ENOTDIR' });
    return;
  }
  makeFolders(dirname(path));
  mkdirSync(path, { mode: 0o755 });
}

export async function newSecrets(): Promise<Secrets> {
  return {
    postgresPassword: randomSecret(),
    documentStorePassword: randomSecret(),
    signingKeys: [await generateSigningKey()],
    cursor: [{ kid: '1', secret: randomSecret() }],
    pulsoAfter: [{ kid: '1', secret: randomSecret() }],
  };
}

const randomSecret = () => randomBytes(32).toString('base64url');

function readJson<T>(file: string): T | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as T;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Writes a file atomically: it contains either the old or the new content. */
function writeWhole(file: string, content: unknown): void {
  const staging = `${file}.new`;
  writeFileSync(staging, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600, flush: true });
  renameSync(staging, file);
}
