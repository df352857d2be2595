import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { generateSigningKey } from '@pulso/platform/auth/access-token';
import type { JWK } from 'jose';
import { StartError, explainFileError } from './start-error.js';

/** Raised whenever an older Pulso could no longer read what a newer one wrote. */
const FORMAT = 1;

/** Everything the installation must keep to itself; each list's first signs, all verify. */
export interface Secrets {
  postgresPassword: string;
  documentStorePassword: string;
  signingKeys: JWK[];
  cursor: { kid: string; secret: string }[];
  pulsoAfter: { kid: string; secret: string }[];
}

/** Earlier versions have kept no password of the document store. */
type StoredSecrets = Omit<Secrets, 'documentStorePassword'> & Partial<Secrets>;

export interface DataDirectory {
  path: string;
  isNew: boolean;
  /** Where the seed is noted as done, so that a kill in the middle of it repeats it. */
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

/** One by one: Node's recursive mkdir never returns where a file system refuses new folders with ENOENT, as /proc does. */
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

/** Under its name stands the old content or the new, never half of one. */
function writeWhole(file: string, content: unknown): void {
  const staging = `${file}.new`;
  writeFileSync(staging, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600, flush: true });
  renameSync(staging, file);
}
