import { readdirSync, readFileSync } from 'node:fs';

/** Linux tells programs the time in this unit, whatever it counts in. */
const TICKS_PER_MS = 0.1;

/** CPU-ms since the processes began, by what they are. */
export interface TreeCpu {
  node: number;
  documents: number;
  postgres: number;
}

interface Process {
  pid: number;
  parent: number;
  command: string;
  /** Of the process and of those of its children that have ended. */
  cpuMs: number;
}

/**
 * CPU-ms of the process `root`, of those whose command names `directory`, and of all their descendants. Only on Linux, from
 * proc_pid_stat(5). The directory is for servers that no longer have the parent that started them.
 */
export function cpuOfTree(root: number, directory?: string): TreeCpu {
  const processes = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap(lookUp);
  const kinds = new Map<number, keyof TreeCpu>();
  // A parent may have the greater id: repeated until nothing is new.
  for (let known = -1; known < kinds.size;) {
    known = kinds.size;
    for (const { pid, parent, command } of processes) {
      const isOfTree =
        pid === root || kinds.has(parent) || (directory !== undefined && command.includes(directory));
      if (isOfTree && !kinds.has(pid)) kinds.set(pid, kindOf(command));
    }
  }
  const cpu: TreeCpu = { node: 0, documents: 0, postgres: 0 };
  for (const { pid, cpuMs } of processes) {
    const kind = kinds.get(pid);
    if (kind) cpu[kind] += cpuMs;
  }
  return cpu;
}

function kindOf(command: string): keyof TreeCpu {
  if (/document-store/.test(command)) return 'documents';
  return /postgres/.test(command.split(' ')[0]!) ? 'postgres' : 'node';
}

/** None when the process has just ended. */
function lookUp(name: string): Process[] {
  try {
    const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
    const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ');
    // The fields after the 2nd, the name, which may contain blanks and brackets.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return [{ pid: Number(name), parent: Number(fields[1]), command, cpuMs: ticks / TICKS_PER_MS }];
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw error;
  }
}
