import { readFileSync } from 'node:fs';

/** Linux tells programs the time in this unit, whatever it counts in. */
const TICKS_PER_S = 100;

/**
 * State and parent of a process, and the CPU seconds of its descendants that have ended and been waited for, from Linux's
 * stat(5). Throws when there is no such process.
 *
 * @param {number | 'self'} pid
 */
export function procStat(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The fields after the 2nd, the name, which may contain blanks and brackets.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state = '', parent] = fields;
  const endedCpuS = (Number(fields[13]) + Number(fields[14])) / TICKS_PER_S;
  return { state, parent: Number(parent), endedCpuS };
}
