import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from '@playwright/test';

/** CHROMIUM_PATH, else the first Chromium on PATH: no browser is downloaded. */
function chromium(): string {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH;
  for (const name of ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']) {
    try {
      return execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim();
    } catch {
      continue;
    }
  }
  throw new Error('No Chromium found on PATH: install one, or name it in CHROMIUM_PATH.');
}

const port = Number(process.env.E2E_PORT ?? 8199);

export default defineConfig({
  testDir: 'browser',
  testMatch: '**/*.e2e.ts',
  timeout: 180_000,
  expect: { timeout: 30_000 },
  workers: 1,
  forbidOnly: !!process.env.CI,
  /** What passes then is told as flaky (`tools/e2e.mjs`). */
  retries: process.env.CI ? 1 : 0,
  outputDir: 'test-results',
  reporter: [['list'], ['json', { outputFile: 'test-results/results.json' }]],
  use: {
    baseURL: `http://localhost:${port}`,
    locale: 'en-US',
    timezoneId: 'UTC',
    contextOptions: { reducedMotion: 'reduce' },
    screenshot: 'only-on-failure',
    trace: 'on-first-retry',
    launchOptions: {
      executablePath: chromium(),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--no-first-run',
      ],
    },
  },
  webServer: {
    command: 'node ../tools/start.mjs',
    url: `http://localhost:${port}/api/config`,
    timeout: 120_000,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 8_000 },
    env: {
      PORT: String(port),
      PULSO_DATA_DIR: mkdtempSync(join(tmpdir(), 'pulso-e2e-')),
      PULSO_SEED: 'demo',
      RATE_LIMIT_FACTOR: '0',
      LOG_LEVEL: 'warn',
    },
  },
});
