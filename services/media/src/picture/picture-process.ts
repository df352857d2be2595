import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { pictureProgram, type PictureLimits } from './picture-limits.js';
import type { PictureAnswer, PictureRequest } from './picture-messages.js';

/** `ended`: the process is gone; `begun` tells whether it had the picture. `late`: it has not answered in time. */
export type PictureOutcome =
  | Exclude<PictureAnswer, { kind: 'begun' }>
  | { kind: 'ended'; begun: boolean; how: string }
  | { kind: 'late' };

/** What it needs of the environment: none of media's secrets. */
const PASSED_ON = ['PATH', 'LD_LIBRARY_PATH', 'TMPDIR', 'TEMP', 'SystemRoot', 'NODE_V8_COVERAGE'];
/** What is large lies outside of this heap. */
const HEAP = ['--max-old-space-size=64', '--max-semi-space-size=1'];

/** One process that works on pictures, one after the other. It ends with this one, also after a `kill -9`. */
export class PictureProcess {
  private readonly child: ChildProcess;
  /** What ended it; undefined while it runs. */
  private ended: string | undefined;
  /** Of the picture that it has. */
  private hearEnd: ((how: string) => void) | undefined;

  /** `onEnd` is called once, whatever ends it. */
  constructor(
    private readonly limits: PictureLimits,
    onEnd: () => void,
  ) {
    const { file, execArgv } = limits.program ?? { file: pictureProgram(), execArgv: [] };
    this.child = fork(file, [], {
      execArgv: [...execArgv, ...HEAP],
      env: Object.fromEntries(PASSED_ON.map((name) => [name, process.env[name]])),
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    void endOf(this.child).then((how) => {
      this.ended = how;
      this.hearEnd?.(how);
      onEnd();
    });
    this.rest();
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  async work({ bytes, purpose }: Pick<PictureRequest, 'bytes' | 'purpose'>): Promise<PictureOutcome> {
    const { child } = this;
    const { cpuMs, memoryBytes, waitMs } = this.limits;
    let timer: NodeJS.Timeout | undefined;
    let hear: ((answer: PictureAnswer) => void) | undefined;
    this.hold();
    try {
      return await new Promise<PictureOutcome>((resolve) => {
        let begun = false;
        hear = (answer) => {
          if (answer.kind === 'begun') begun = true;
          else resolve(answer);
        };
        child.on('message', hear);
        this.hearEnd = (how) => resolve({ kind: 'ended', begun, how });
        if (this.ended !== undefined) return this.hearEnd(this.ended);
        timer = setTimeout(() => resolve({ kind: 'late' }), waitMs);
        // Where this fails the process has ended, which `hearEnd` reports.
        child.send({ bytes, purpose, most: { cpuMs, memoryBytes } }, () => undefined);
      });
    } finally {
      clearTimeout(timer);
      child.off('message', hear!);
      this.hearEnd = undefined;
      this.rest();
    }
  }

  /** At once, whatever it does. */
  kill(): void {
    this.child.kill('SIGKILL');
  }

  /** Keeps this process running until the picture is done. */
  private hold(): void {
    this.child.ref();
    this.child.channel?.ref();
  }

  private rest(): void {
    this.child.unref();
    this.child.channel?.unref();
  }
}

/** Resolves with what ended it, once its last message has been heard: that may come after its end. */
async function endOf(child: ChildProcess): Promise<string> {
  // A later error belongs to an end that is reported already.
  child.on('error', () => undefined);
  try {
    const [[code, signal]] = (await Promise.all([once(child, 'exit'), once(child, 'disconnect')])) as [
      [number | null, NodeJS.Signals | null],
      unknown,
    ];
    return signal ?? `code ${code}`;
  } catch (error) {
    return (error as Error).message;
  }
}
