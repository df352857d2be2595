import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Browser, type BrowserContext, chromium } from '@playwright/test';
import { chromiumPath } from '../support/chromium-path.js';

const START_TIMEOUT_MS = 120_000;

/** Runs `npm start` on `port` with an empty data directory and without rate limits, as long as `work` takes. */
export async function withPulso<T>(
  root: string,
  port: number,
  seed: 'demo' | 'none',
  work: (url: string) => Promise<T>,
): Promise<T> {
  const data = mkdtempSync(join(tmpdir(), 'pulso-bench-'));
  const url = `http://localhost:${port}`;
  const pulso = spawn(process.execPath, ['--max-semi-space-size=64', 'tools/start.mjs'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      PORT: `${port}`,
      PULSO_DATA_DIR: data,
      PULSO_SEED: seed,
      RATE_LIMIT_FACTOR: '0',
    },
  });
  const ended = once(pulso, 'exit');
  try {
    await untilAnswering(url);
    return await work(url);
  } finally {
    pulso.kill('SIGTERM');
    await ended;
    rmSync(data, { recursive: true, force: true });
  }
}

export async function withChromium<T>(work: (browser: Browser) => Promise<T>): Promise<T> {
  const browser = await chromium.launch({
    executablePath: chromiumPath(),
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking'],
  });
  try {
    return await work(browser);
  } finally {
    await browser.close();
  }
}

/** Signs the context in, and leaves the mark of a browser that was signed in. */
export async function logIn(
  context: BrowserContext,
  url: string,
  credentials: { email: string; password: string },
): Promise<void> {
  const answer = await context.request.post(`${url}/api/auth/login`, { data: credentials });
  if (!answer.ok()) throw new Error(`login: ${answer.status()}`);
  await context.addInitScript("localStorage.setItem('pulso.signed-in', '1')");
}

async function untilAnswering(url: string): Promise<void> {
  for (const end = performance.now() + START_TIMEOUT_MS; ; await delay(200)) {
    const answer = await fetch(`${url}/api/config`).catch(() => undefined);
    if (answer?.ok) return;
    if (performance.now() > end) throw new Error('Pulso does not answer');
  }
}
