import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A folder in place of the repository, for a check of `tools/` that takes one. */
export class CheckedFolder {
  readonly path = mkdtempSync(join(tmpdir(), 'pulso-checked-'));
  private readonly tool: string;

  /** `tool` is a file of `tools/`. */
  constructor(tool: string) {
    this.tool = fileURLToPath(new URL(`../../tools/${tool}`, import.meta.url));
  }

  write(path: string, text = ''): void {
    const file = join(this.path, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }

  /** Runs the check; `failures` are the lines that it prints as errors, `sum` is its other output. */
  check(): { status: number | null; failures: string[]; sum: string } {
    const { status, stdout, stderr } = spawnSync(process.execPath, [this.tool, this.path], {
      encoding: 'utf8',
      timeout: 60_000,
    });
    return { status, failures: stderr.split('\n').filter(Boolean), sum: stdout.trim() };
  }

  remove(): void {
    rmSync(this.path, { recursive: true });
  }
}
