import { spawnSync } from 'node:child_process';
import { availableParallelism, cpus } from 'node:os';
import { join } from 'node:path';
import { runProgram } from '../child-process.mjs';
import { procStat } from '../proc-stat.mjs';

const REAPER = join(import.meta.dirname, 'reap.pl');
const YARDSTICK = join(import.meta.dirname, 'yardstick.mjs');
const YARDSTICK_LIMIT_MS = 300_000;

/**
 * What figures depend on: those of two machines of different kinds say nothing about each other.
 *
 * @returns {{ processor: string, cores: number, node: string }}
 */
export const machine = () => ({
  processor: cpus()[0]?.model.trim() ?? 'unknown',
  cores: availableParallelism(),
  node: process.version,
});

/** Whether CPU time can be counted: on Linux, where Perl is. */
export const canCount = () =>
  process.platform === 'linux' && spawnSync('perl', [REAPER, process.execPath, '--version']).status === 0;

/**
 * The command that runs `command` so that the CPU time of all its processes is counted: also of those whose parents have ended
 * before them.
 *
 * @param {string} command
 * @param {string[]} args
 */
export const counted = (command, args) => ({ command: 'perl', args: [REAPER, command, ...args] });

/** CPU seconds, user and system, of what this process has started and waited for until now. Linux only. */
export const cpuOfEnded = () => procStat('self').endedCpuS;

/**
 * Does the yardstick's work, on all processors at once, as the suites run. Resolves to what it took a process, in seconds.
 * Rejects when it fails.
 *
 * @returns {Promise<{ cpuS: number, wallS: number }>}
 */
export async function measureYardstick() {
  const { cores } = machine();
  const args = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', YARDSTICK];
  const runs = await Promise.all(
    Array.from({ length: cores }, () => runProgram(process.execPath, args, { limitMs: YARDSTICK_LIMIT_MS })),
  );
  const times = runs.map(({ code, output }) => {
    if (code !== 0) throw new Error(`The yardstick has failed: ${output}`);
    return JSON.parse(output);
  });
  const mean = (name) => times.reduce((sum, time) => sum + time[name], 0) / cores;
  return { cpuS: mean('cpuS'), wallS: mean('wallS') };
}
