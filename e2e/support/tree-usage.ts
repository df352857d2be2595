import { readdirSync, readFileSync } from 'node:fs';
import { memoryOf, type ProcessMemory } from './memory.js';

/** Linux tells programs the time in this unit, whatever it counts in. */
const TICKS_PER_MS = 0.1;

/** What processes are that are no part of the product: engines, and the launcher of the cluster on one machine. */
const FOREIGN: readonly (readonly [RegExp, string])[] = [
  [/document-store\/main\.js/, 'documents'],
  [/^\S*postgres/, 'postgres'],
  [/^\S*redis-server/, 'redis'],
  [/ kafka\.Kafka /, 'kafka'],
  [/ org\.gaul\.s3proxy\.Main /, 's3'],
  [/ tools\/start-cluster\.mjs/, 'launcher'],
];
const FOREIGN_NAMES = new Set(FOREIGN.map(([, name]) => name));
/** A gateway, a service or a worker that is a process of its own; older checkouts have them in `dist`. */
const PROGRAM = /\/([\w-]+)\/(?:bundle|dist)\/(?:(\w+)-worker-)?main\.js/;

interface Process {
  pid: number;
  parent: number;
  command: string;
  /** Of the process and of those of its children that have ended. */
  cpuMs: number;
}

/** A figure by the names of processes, and its sums: over all of them, and over the product's own or else a yardstick's. */
export interface Shares {
  all: number;
  own: number;
  [name: string]: number;
}

/**
 * CPU-ms since the processes began: of the process `root`, of those whose command names `directory`, and of all their
 * descendants. Only on Linux, from proc_pid_stat(5). The directory is for servers that no longer have the parent that started
 * them.
 */
export function cpuOfTree(root: number, directory?: string): Shares {
  const processes = allProcesses();
  return sharesOf(
    namesOfTree(processes, root, directory),
    processes.map(({ pid, cpuMs }) => [pid, cpuMs]),
  );
}

/** MiB of the same processes. */
export function memoryOfTree(root: number, directory?: string): Record<keyof ProcessMemory, Shares> {
  const names = namesOfTree(allProcesses(), root, directory);
  const memory = [...names.keys()].flatMap((pid) => unlessEnded(() => [[pid, memoryOf(pid)] as const]));
  const shares = (kind: keyof ProcessMemory) =>
    sharesOf(
      names,
      memory.map(([pid, mib]) => [pid, mib[kind]]),
    );
  return { rss: shares('rss'), pss: shares('pss') };
}

/** The names of the tree's processes by their ids. A process without a name of its own has its parent's, or else `own`. */
export function namesOfTree(
  processes: readonly Omit<Process, 'cpuMs'>[],
  root: number,
  directory?: string,
): Map<number, string> {
  const names = new Map<number, string>();
  // A parent may have the greater id: repeated until nothing is new.
  for (let known = -1; known < names.size;) {
    known = names.size;
    for (const { pid, parent, command } of processes) {
      const isOfTree =
        pid === root || names.has(parent) || (directory !== undefined && command.includes(directory));
      if (isOfTree && !names.has(pid)) names.set(pid, nameOf(command) ?? names.get(parent) ?? 'own');
    }
  }
  return names;
}

/** @param figures by the ids of processes; those without a name do not count */
export function sharesOf(
  names: ReadonlyMap<number, string>,
  figures: Iterable<readonly [pid: number, figure: number]>,
): Shares {
  const shares: Shares = { all: 0, own: 0 };
  for (const [pid, figure] of figures) {
    const name = names.get(pid);
    if (name === undefined) continue;
    shares.all += figure;
    if (!FOREIGN_NAMES.has(name)) shares.own += figure;
    if (name !== 'own') shares[name] = (shares[name] ?? 0) + figure;
  }
  return shares;
}

function nameOf(command: string): string | undefined {
  const foreign = FOREIGN.find(([pattern]) => pattern.test(command));
  if (foreign) return foreign[1];
  const [, program, worker] = PROGRAM.exec(command) ?? [];
  return worker ? `${program}-${worker}` : program;
}

function allProcesses(): Process[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => unlessEnded(() => [lookUp(name)]));
}

function lookUp(name: string): Process {
  const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
  const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ');
  // The fields after the 2nd, the name, which may contain blanks and brackets.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return { pid: Number(name), parent: Number(fields[1]), command, cpuMs: ticks / TICKS_PER_MS };
}

/** Nothing when the process has just ended. */
function unlessEnded<T>(read: () => T[]): T[] {
  try {
    return read();
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw error;
  }
}
