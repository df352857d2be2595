import { readFileSync } from 'node:fs';

/**
 * State and parent of a process, from Linux's stat(5). Throws when there is no such process.
 *
 * @param {number} pid
 */
export function procStat(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The fields after the 2nd, the name, which may contain blanks and brackets.
  const [state = '', parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return { state, parent: Number(parent) };
}
