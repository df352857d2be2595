import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { TYPESCRIPT } from '@pulso/platform/testing/typescript';
import { until } from '@pulso/platform/testing/until';

const LIMIT_MS = 100_000;

/** A TypeScript file that runs as a process of its own until it is killed. */
export class ChildProgram {
  private output = '';

  private constructor(
    readonly file: string,
    private readonly child: ChildProcess,
    private readonly closed: Promise<unknown>,
  ) {}

  static start(file: string, env: Readonly<Record<string, string>>): ChildProgram {
    const child = spawn(process.execPath, [...TYPESCRIPT, file], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...env },
    });
    const program = new ChildProgram(file, child, once(child, 'close'));
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (program.output += chunk.toString()));
    return program;
  }

  get isGone(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  /** What it has written so far. */
  get said(): string {
    return this.output;
  }

  /** The first group of what it says, once it has. Throws where it ends before. */
  says(words: RegExp): Promise<string> {
    return until(
      () => {
        const found = words.exec(this.output)?.[1];
        if (!found && this.isGone) throw new Error(`${this.file} ended: ${this.output}`);
        return found;
      },
      { what: () => `${this.file} to say ${words}; it said ${this.output}`, limit: LIMIT_MS },
    );
  }

  /** Kills it with SIGKILL, and resolves when it is gone. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.gone();
  }

  /** Resolves when it is gone. */
  async gone(): Promise<void> {
    await this.closed;
  }
}
