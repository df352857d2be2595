import { type ChildProcess, spawn } from 'node:child_process';
import { chown, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from '../free-port.js';
import { type PostgresBinaries, postgresBinaries } from './postgres-binaries.js';
import { endWithThisProcess } from './end-with-this-process.js';
import { type Account, openFolderFor, reachableByAll, unprivilegedAccount } from './unprivileged-account.js';

export interface PostgresOptions {
  /** The folder of the cluster's files; created on the first start. */
  directory: string;
  password: string;
  /** Off only for tests that may lose all data in a crash. */
  durable?: boolean;
  maxConnections?: number;
  /** Names a port that is free now. */
  freePort?: () => Promise<number>;
  /** Called when the server has ended, or was told to end, by somebody else. */
  onExit?: (reason: string) => void;
}

export interface PostgresServer {
  /** The URL of the maintenance database. */
  url: string;
  pid: number;
  stop(): Promise<void>;
}

const READY = 'database system is ready to accept connections';
/** What it logs on a SIGTERM by somebody else. It then waits until its clients have gone. */
const ASKED_TO_END = 'received smart shutdown request';
const START_TIMEOUT_MS = 60_000;
const PORT_IS_TAKEN = 'could not create any TCP/IP sockets';
/** PostgreSQL cannot choose a port itself, and another program may take one between its choice and its use. */
const PORTS_TRIED = 5;

/**
 * Starts PostgreSQL on a free loopback port; creates the cluster on first use. Rejects with a message for the user.
 */
export async function startPostgres(options: PostgresOptions): Promise<PostgresServer> {
  const account = unprivilegedAccount();
  await mkdir(dirname(options.directory), { recursive: true });
  const { directory, binaries } = await placeFor(options.directory, account);
  await endOrphan(directory);
  if (!(await isCluster(directory))) await createCluster(binaries, directory, options.password, account);
  for (let tried = 1; ; tried += 1) {
    try {
      return await startServer(binaries, directory, options, account);
    } catch (error) {
      if (tried === PORTS_TRIED || !String(error).includes(PORT_IS_TAKEN)) throw error;
    }
  }
}

async function startServer(
  { postgres }: PostgresBinaries,
  directory: string,
  options: PostgresOptions,
  account: Account | undefined,
): Promise<PostgresServer> {
  const port = await (options.freePort ?? freePort)();
  const server = spawn(postgres, ['-D', directory, ...settings(options, port)], {
    ...account,
    cwd: '/',
    // Ctrl-C goes to the whole process group of the terminal, but the clients of the database must end before it
    // does.
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' },
  });
  const guard = endWithThisProcess(server);
  const end = async () => {
    await endProcess(server);
    await guard.ended;
  };
  let stopping = false;
  try {
    await untilReady(server, () => {
      if (!stopping) options.onExit?.('PostgreSQL was told to end');
    });
  } catch (error) {
    if (server.pid !== undefined) await end();
    throw error;
  }
  server.once('exit', (code, signal) => {
    if (!stopping) options.onExit?.(`PostgreSQL ended (${signal ?? `exit code ${code}`})`);
  });
  return {
    url: `postgresql://postgres:${encodeURIComponent(options.password)}@127.0.0.1:${port}/postgres`,
    pid: server.pid!,
    async stop() {
      stopping = true;
      await end();
    },
  };
}

/** For root, a folder that the unprivileged account can access; otherwise the requested folder. */
async function placeFor(directory: string, account: Account | undefined) {
  if (!account) return { directory, binaries: await postgresBinaries() };
  const open = openFolderFor(directory);
  const binaries = await postgresBinaries();
  const place = reachableByAll(directory) ? directory : join(open, 'data');
  return {
    directory: place,
    binaries: reachableByAll(binaries.postgres) ? binaries : await postgresBinaries(join(open, 'native')),
  };
}

/** Little memory, no replication, loopback only: settings for one small installation. */
function settings({ durable = true, maxConnections = 70 }: PostgresOptions, port: number): string[] {
  const values: Record<string, string | number> = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    max_connections: maxConnections,
    shared_buffers: '32MB',
    wal_level: 'minimal',
    max_wal_senders: 0,
    max_wal_size: '256MB',
    autovacuum_max_workers: 1,
    max_parallel_workers: 0,
    jit: 'off',
    timezone: 'UTC',
    log_min_messages: 'log',
    ...(durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  };
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

const isCluster = (directory: string) =>
  stat(join(directory, 'PG_VERSION')).then(
    () => true,
    () => false,
  );

/**
 * Creates the cluster in a temporary place and then moves it, so that a kill in between leaves no incomplete cluster.
 */
async function createCluster(
  { initdb }: PostgresBinaries,
  directory: string,
  password: string,
  account: Account | undefined,
): Promise<void> {
  const staging = `${directory}.new`;
  const passwordFile = `${directory}.password`;
  await rm(staging, { recursive: true, force: true });
  await mkdir(dirname(directory), { recursive: true, mode: 0o755 });
  await mkdir(staging, { mode: 0o700 });
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
  if (account) {
    await chown(staging, account.uid, account.gid);
    await chown(passwordFile, account.uid, account.gid);
  }
  const initialise = spawn(
    initdb,
    [
      '-D',
      staging,
      '-U',
      'postgres',
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
    ],
    {
      ...account,
      cwd: '/',
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' },
    },
  );
  endWithThisProcess(initialise);
  let complaint = '';
  initialise.stderr!.on('data', (chunk: Buffer) => (complaint += chunk.toString()));
  const code = await new Promise<number | null>((resolve, reject) => {
    initialise.once('error', reject);
    initialise.once('close', resolve);
  });
  await rm(passwordFile, { force: true });
  if (code !== 0) throw new Error(`PostgreSQL could not be set up: ${complaint.trim().split('\n').at(-1)}`);
  await rename(staging, directory);
}

/** Ends a server that a killed launcher left behind: it must release the files before a new one uses them. */
async function endOrphan(directory: string): Promise<void> {
  const file = await readFile(join(directory, 'postmaster.pid'), 'utf8').catch(() => '');
  const pid = Number(file.split('\n')[0]);
  if (!pid || !isAlive(pid) || !(await isPostgres(pid))) return;
  process.kill(pid, 'SIGINT');
  for (const deadline = Date.now() + 10_000; isAlive(pid); await pause(50)) {
    if (Date.now() > deadline) process.kill(pid, 'SIGKILL');
  }
}

/** The pid may belong to another program by now. Only Linux can tell; elsewhere PostgreSQL's own check decides. */
async function isPostgres(pid: number): Promise<boolean> {
  const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '');
  return name.trim() === 'postgres';
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function untilReady(server: ChildProcess, onAskedToEnd: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const recent: string[] = [];
    const timer = setTimeout(() => reject(new Error('PostgreSQL did not start in time.')), START_TIMEOUT_MS);
    const failed = (text: string) => {
      clearTimeout(timer);
      reject(new Error(text));
    };
    server.once('error', (error) => failed(`PostgreSQL could not be started: ${error.message}`));
    // After its last line, which `exit` may come before.
    server.once('close', () => {
      const reason = recent.findLast((line) => line.includes('FATAL')) ?? recent.at(-1);
      failed(`PostgreSQL did not start: ${reason ?? 'no reason given'}`);
    });
    createInterface({ input: server.stderr! }).on('line', (line) => {
      recent.push(line);
      if (recent.length > 20) recent.shift();
      if (line.includes(ASKED_TO_END)) onAskedToEnd();
      if (!line.includes(READY)) return;
      clearTimeout(timer);
      resolve();
    });
  });
}

/** Fast shutdown; after three seconds the immediate one, from which the next start recovers by the log. */
async function endProcess(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = new Promise((resolve) => server.once('exit', resolve));
  server.kill('SIGINT');
  const killer = setTimeout(() => server.kill('SIGQUIT'), 3_000);
  await ended;
  clearTimeout(killer);
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
