import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

export interface Account {
  uid: number;
  gid: number;
}

/**
 * PostgreSQL refuses to run as root. Returns the account to run it as for root (`postgres`, else `nobody`, which
 * every system has), or undefined for an ordinary user, who runs it as themselves.
 */
export function unprivilegedAccount(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (flag: '-u' | '-g', name: string) =>
    Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
  try {
    return { uid: idOf('-u', 'postgres'), gid: idOf('-g', 'postgres') };
  } catch {
    return { uid: idOf('-u', 'nobody'), gid: idOf('-g', 'nobody') };
  }
}

/** Whether every account may enter all folders above `path`. */
export function reachableByAll(path: string): boolean {
  for (let folder = dirname(resolve(path)); ; folder = dirname(folder)) {
    if ((statSync(folder).mode & 0o001) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}

/** The folder for files that the account must access when the data directory is in a folder closed to it. */
export function openFolderFor(dataDirectory: string): string {
  const id = createHash('sha256').update(resolve(dataDirectory)).digest('hex').slice(0, 16);
  return join('/var/lib/pulso', id);
}
