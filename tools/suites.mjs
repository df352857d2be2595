import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import startEngines from './jest-engines.mjs';
import { root } from './prepare.mjs';

const PACKAGES = [
  'services/platform',
  'services/identity',
  'services/posts',
  'services/social',
  'gateway',
  'frontend',
  'deploy/embedded',
  'e2e',
];

/** Runs every package's suites against one set of engines and prints `N passed, N failed` as the last line. */
export async function runSuites(only) {
  process.env.PULSO_PREBUILT = '1';
  await startEngines();
  const sum = { passed: 0, failed: 0 };
  let broken = false;
  try {
    for (const folder of PACKAGES.filter((name) => only.length === 0 || only.includes(name))) {
      const result = await runJest(folder);
      sum.passed += result.numPassedTests;
      sum.failed += result.numFailedTests;
      broken ||= !result.success;
    }
  } finally {
    await globalThis.stopTestEngines();
  }
  console.log(`${sum.passed} passed, ${sum.failed} failed`);
  process.exit(broken || sum.failed > 0 ? 1 : 0);
}

function runJest(folder) {
  const output = join(tmpdir(), `pulso-jest-${process.pid}-${folder.replace('/', '-')}.json`);
  const jest = join(root, 'node_modules/jest/bin/jest.js');
  const args = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', jest];
  const child = spawn(process.execPath, [...args, '--json', `--outputFile=${output}`, '--silent=false'], {
    cwd: join(root, folder),
    // With --json jest writes its report to standard output as well; the readable one goes to standard error.
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      try {
        resolve(JSON.parse(readFileSync(output, 'utf8')));
      } catch {
        reject(new Error(`The suites of ${folder} ended with code ${code} and left no result.`));
      } finally {
        rmSync(output, { force: true });
      }
    });
  });
}
