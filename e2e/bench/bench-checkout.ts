import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** An older checkout may have to be built first. */
const START_TIMEOUT_MS = 300_000;

/** The arguments of Node in a checkout. Each profile also starts the engines that it needs. */
const PROGRAMS = {
  embedded: ['--max-semi-space-size=64', 'tools/start.mjs'],
  cluster: ['tools/start-cluster.mjs', '--engines'],
};

export type Profile = keyof typeof PROGRAMS;

interface CheckoutOptions {
  /** `embedded` unless given. */
  profile?: Profile;
  /** Of the embedded profile; `none` unless given. */
  seed?: 'demo' | 'none';
  settings?: Record<string, string>;
}

export interface RunningCheckout {
  url: string;
  pid: number;
  /** Its data directory, which goes with it. */
  directory: string;
  stop(): Promise<void>;
}

/**
 * Runs `npm start` or `npm run start:cluster` of the checkout `root` on `port`, with an empty data directory and without rate
 * limits.
 */
export async function startCheckout(
  root: string,
  port: number,
  { profile = 'embedded', seed = 'none', settings }: CheckoutOptions = {},
): Promise<RunningCheckout> {
  const directory = mkdtempSync(join(tmpdir(), 'pulso-bench-'));
  const url = `http://localhost:${port}`;
  const pulso = spawn(process.execPath, PROGRAMS[profile], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      PORT: `${port}`,
      PULSO_DATA_DIR: directory,
      PULSO_SEED: seed,
      RATE_LIMIT_FACTOR: '0',
      ...settings,
    },
  });
  const ended = once(pulso, 'exit');
  const stop = async () => {
    pulso.kill('SIGTERM');
    await ended;
    rmSync(directory, { recursive: true, force: true });
  };
  try {
    await untilAnswering(url, () => pulso.exitCode !== null || pulso.signalCode !== null);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, pid: pulso.pid!, directory, stop };
}

async function untilAnswering(url: string, hasEnded: () => boolean): Promise<void> {
  for (const end = performance.now() + START_TIMEOUT_MS; ; await delay(200)) {
    const answer = await fetch(`${url}/api/config`).catch(() => undefined);
    if (answer?.ok) return;
    if (hasEnded()) throw new Error(`Pulso has ended before ${url} answered`);
    if (performance.now() > end) throw new Error(`${url} does not answer`);
  }
}
