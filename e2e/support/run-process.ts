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

/**
 * Runs a built program of the product to its end, with only this environment. One that does not end is killed when the
 * test ends: a program that starts, although it should refuse to, would keep Jest from ending.
 */
export async function runProgram(
  script: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Ended> {
  const child = spawn(process.execPath, [join(root, script), ...args], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let ended: { code: number | null } | undefined;
  child.once('close', (code) => (ended = { code }));
  onTestEnd(async () => {
    child.kill('SIGKILL');
    await until(() => ended, { what: `the end of ${script}, which was killed` });
  });
  const texts = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (texts.stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (texts.stderr += chunk.toString()));
  const what = () => `the end of ${script} ${args.join(' ')}, which has said ${JSON.stringify(texts)}`;
  return { ...(await until(() => ended, { what })), ...texts };
}
