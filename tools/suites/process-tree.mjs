import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { procStat } from '../proc-stat.mjs';

/** All processes below `pid`, in whatever group or session, with `pid` itself first. @param {number} pid */
export function processTree(pid) {
  const rows = process.platform === 'linux' ? parentsFromProc() : parentsFromPs();
  const tree = [pid];
  for (const parent of tree) {
    for (const [child, itsParent] of rows) if (itsParent === parent) tree.push(child);
  }
  return tree;
}

/** Sends SIGKILL to `pid` and to every process below it. @param {number} pid */
export function killTree(pid) {
  for (const member of processTree(pid)) kill(member);
}

/**
 * Kills the processes whose arguments or environment name `folder`, which is how those are found whose parents have
 * ended. Returns their command lines. Linux only; elsewhere it finds none.
 *
 * @param {string} folder
 * @returns {string[]}
 */
export function killProcessesOf(folder) {
  if (process.platform !== 'linux') return [];
  const own = new Set([process.pid, ...ancestors()]);
  const found = [];
  for (const pid of pids()) {
    if (own.has(pid)) continue;
    const command = read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim();
    // A process without arguments is a zombie.
    if (command === '' || !(command.includes(folder) || read(`/proc/${pid}/environ`).includes(folder)))
      continue;
    kill(pid);
    found.push(command.slice(0, 100));
  }
  return found;
}

function ancestors() {
  const parents = new Map(parentsFromProc());
  const found = [];
  for (let pid = parents.get(process.pid); pid; pid = parents.get(pid)) found.push(pid);
  return found;
}

const pids = () =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);

/** @returns {[pid: number, parent: number][]} */
function parentsFromProc() {
  return pids().flatMap((pid) => {
    try {
      return [[pid, procStat(pid).parent]];
    } catch {
      // It has ended meanwhile.
      return [];
    }
  });
}

/** @returns {[pid: number, parent: number][]} */
function parentsFromPs() {
  const rows = execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  return rows.map((row) => /** @type {[number, number]} */ (row.trim().split(/\s+/).map(Number)));
}

/** The file's text; empty when the process has ended meanwhile or is somebody else's. */
function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function kill(pid) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}
