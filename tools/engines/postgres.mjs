import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runOrFail } from '../child-process.mjs';
import { freePorts } from '../free-ports.mjs';
import { EngineProcess } from './engine-process.mjs';

const DEBIAN_VERSIONS = '/usr/lib/postgresql';

/**
 * The machine's PostgreSQL on loopback with its data in `directory`. PostgreSQL refuses to run as root; for
 * root it runs as the account `postgres`, which must be able to reach `directory`. Resolves to the process (EngineProcess)
 * with the `url` of the maintenance database.
 */
export async function startPostgres(directory) {
  const account = process.getuid?.() === 0 ? accountOf('postgres') : {};
  const data = join(directory, 'data');
  const password = randomBytes(12).toString('hex');
  const passwordFile = join(directory, 'password');
  mkdirSync(data, { mode: 0o700 });
  writeFileSync(passwordFile, password, { mode: 0o600 });
  for (const path of [data, passwordFile]) if (account.uid) chownSync(path, account.uid, account.gid);
  const bin = binaries();
  await runOrFail(
    join(bin, 'initdb'),
    [
      '-D',
      data,
      '-U',
      'postgres',
      `--pwfile=${passwordFile}`,
      '-A',
      'scram-sha-256',
      '-E',
      'UTF8',
      '--locale=C',
    ],
    { ...account, cwd: '/' },
  );
  rmSync(passwordFile);
  const [port] = await freePorts(1);
  const settings = {
    ...{ port, listen_addresses: '127.0.0.1', unix_socket_directories: '', max_connections: 400 },
    // The data lives as long as the machine's run: a killed server loses nothing by this, only a power cut would.
    ...{ fsync: 'off', full_page_writes: 'off' },
  };
  const postgres = new EngineProcess({
    name: 'PostgreSQL',
    command: join(bin, 'postgres'),
    args: ['-D', data, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    options: account,
    isReady: (line) => line.includes('database system is ready to accept connections'),
    // Fast shutdown: it ends sessions instead of waiting for them.
    stopSignal: 'SIGINT',
  });
  await postgres.start();
  return Object.assign(postgres, { url: `postgresql://postgres:${password}@127.0.0.1:${port}/postgres` });
}

/**
 * The folder of `initdb` and `postgres`: Debian's newest version, which is not on PATH, or else the one that
 * `pg_config` names.
 */
function binaries() {
  if (existsSync(DEBIAN_VERSIONS)) {
    const newest = readdirSync(DEBIAN_VERSIONS).sort((a, b) => Number(b) - Number(a))[0];
    if (newest) return join(DEBIAN_VERSIONS, newest, 'bin');
  }
  return execFileSync('pg_config', ['--bindir'], { encoding: 'utf8' }).trim();
}

function accountOf(name) {
  const id = (flag) => Number(execFileSync('id', [flag, name], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}
