import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} from 'node:fs';

/** One object as it is now, or that it is gone (`null`): kind, id, account, object. */
export type Change = readonly [kind: string, id: string, account: string | null, value: object | null];

const COMPACT_BYTES = 16 * 1024 * 1024;

/**
 * The data file: a line of JSON for each commit, written before the commit is acknowledged. A line that a killed process
 * left unfinished was never acknowledged and is dropped at the next start, which also writes the file anew.
 */
export class Journal {
  #descriptor: number | undefined;
  #bytes = 0;
  #limit = COMPACT_BYTES;

  constructor(readonly file: string) {}

  /** The commits in their order. Throws when a line that is not the last one is damaged. */
  read(): Change[][] {
    if (!existsSync(this.file)) return [];
    const lines = readFileSync(this.file, 'utf8').split('\n');
    // What stands behind the last line break is an unfinished line, or nothing.
    lines.pop();
    return lines.map((line, index) => {
      try {
        return JSON.parse(line) as Change[];
      } catch (error) {
        throw new Error(`${this.file}: line ${index + 1} is damaged`, { cause: error });
      }
    });
  }

  /** Throws where the file cannot be written, and leaves no part of a line in it. */
  append(changes: readonly Change[]): void {
    const descriptor = this.#open();
    try {
      this.#bytes += this.#write(descriptor, `${JSON.stringify(changes)}\n`);
    } catch (error) {
      ftruncateSync(descriptor, this.#bytes);
      throw error;
    }
  }

  get isLong(): boolean {
    return this.#bytes > this.#limit;
  }

  /** Writes the file anew with these objects alone. A process killed meanwhile leaves the old file or the new one. */
  compact(changes: readonly Change[]): void {
    const next = `${this.file}.next`;
    const descriptor = openSync(next, 'w', 0o600);
    const bytes = this.#write(descriptor, changes.map((change) => `${JSON.stringify([change])}\n`).join(''));
    fsyncSync(descriptor);
    closeSync(descriptor);
    this.close();
    renameSync(next, this.file);
    this.#bytes = bytes;
    this.#limit = Math.max(COMPACT_BYTES, 2 * bytes);
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }

  #open(): number {
    if (this.#descriptor === undefined) {
      this.#descriptor = openSync(this.file, 'a', 0o600);
      this.#bytes = fstatSync(this.#descriptor).size;
    }
    return this.#descriptor;
  }

  /** Returns the bytes. `writeSync` may write a part. */
  #write(descriptor: number, text: string): number {
    const buffer = Buffer.from(text);
    for (let done = 0; done < buffer.length;) done += writeSync(descriptor, buffer, done);
    return buffer.length;
  }
}
