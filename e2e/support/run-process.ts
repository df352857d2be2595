import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestEnd } from '@pulso/platform/testing/on-test-end';
import { until } from '@pulso/platform/testing/until';

const root = join(fileURLToPath(import.meta.url), '../../..');

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

type Run = readonly [script: string, args: readonly string[], env: Readonly<Record<string, string>>];

/**
 * Runs a built program of the product to its end, with only this environment. One that does not end is killed when the
 * test ends: a program that starts, although it should refuse to, would keep Jest from ending.
 */
export function runProgram(...run: Run): Promise<Ended> {
  const program = startProgram(...run);
  onTestEnd(program.kill);
  return program.ended();
}

/**
 * Programs that share nothing and that several tests wait for: some of them run at once, in the order in which they were
 * begun. `end` belongs into `afterAll`.
 */
export class ProgramsAtOnce {
  private readonly turns: Promise<unknown>[];
  private readonly begun = new Map<string, Promise<Ended>>();
  private readonly running = new Set<ReturnType<typeof startProgram>>();
  private hasEnded = false;

  constructor(atOnce: number) {
    this.turns = Array.from({ length: atOnce }, () => Promise.resolve());
  }

  /** Runs it when it is its turn, as `runProgram` does. */
  begin(...run: Run): void {
    const ended = this.turns.shift()!.then(() => this.run(run));
    // The test that waits for it is told of its failure.
    this.turns.push(ended.catch(() => undefined));
    this.begun.set(JSON.stringify(run), ended);
  }

  /** The outcome of what was begun with the same arguments. */
  outcome(...run: Run): Promise<Ended> {
    const ended = this.begun.get(JSON.stringify(run));
    if (!ended) throw new Error(`${run[0]} was not begun with these arguments`);
    return ended;
  }

  /** Kills what still runs, and begins no more. */
  async end(): Promise<void> {
    this.hasEnded = true;
    await Promise.all([...this.running].map((program) => program.kill()));
  }

  private async run(run: Run): Promise<Ended> {
    if (this.hasEnded) throw new Error(`${run[0]} was begun, but no test has waited for it`);
    const program = startProgram(...run);
    this.running.add(program);
    const ended = await program.ended();
    this.running.delete(program);
    return ended;
  }
}

function startProgram(...[script, args, env]: Run) {
  const child = spawn(process.execPath, [join(root, script), ...args], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let ended: { code: number | null } | undefined;
  child.once('close', (code) => (ended = { code }));
  const texts = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (texts.stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (texts.stderr += chunk.toString()));
  return {
    async ended(): Promise<Ended> {
      const what = () => `the end of ${script} ${args.join(' ')}, which has said ${JSON.stringify(texts)}`;
      return { ...(await until(() => ended, { what })), ...texts };
    },
    async kill() {
      child.kill('SIGKILL');
      await until(() => ended, { what: `the end of ${script}, which was killed` });
    },
  };
}
