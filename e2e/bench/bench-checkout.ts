import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** An older checkout may have to be built first. */
const START_TIMEOUT_MS = 300_000;

export interface RunningCheckout {
  url: string;
  pid: number;
  /** Its data directory, which goes with it. */
  directory: string;
  stop(): Promise<void>;
}

/** Runs `npm start` of the checkout `root` on `port`, with an empty data directory and without rate limits. */
export async function startCheckout(
  root: string,
  port: number,
  seed: 'demo' | 'none',
  settings: Record<string, string> = {},
): Promise<RunningCheckout> {
  const directory = mkdtempSync(join(tmpdir(), 'pulso-bench-'));
  const url = `http://localhost:${port}`;
  const pulso = spawn(process.execPath, ['--max-semi-space-size=64', 'tools/start.mjs'], {
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
    await untilAnswering(url);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, pid: pulso.pid!, directory, stop };
}

async function untilAnswering(url: string): Promise<void> {
  for (const end = performance.now() + START_TIMEOUT_MS; ; await delay(200)) {
    const answer = await fetch(`${url}/api/config`).catch(() => undefined);
    if (answer?.ok) return;
    if (performance.now() > end) throw new Error(`${url} does not answer`);
  }
}
