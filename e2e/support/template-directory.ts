import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lockDataDirectory } from '@pulso/embedded/launcher/instance-lock';
import { until } from '@pulso/platform/testing/until';
import { startPulsoProcess } from './pulso-process.js';

/** Longer than a start and a stop may take: it only ends what hangs. */
const MADE_MS = 220_000;

/** A new, empty data directory, for suites about the first start. */
export function anEmptyDirectory(name: string): string {
  const directory = mkdtempSync(join(tmpdir(), `pulso-${name}-`));
  // For root, PostgreSQL runs as another account, which must be able to enter.
  chmodSync(directory, 0o755);
  return directory;
}

/**
 * A data directory of a Pulso that has run before and has no users: a copy of one that is made once a run, because a first
 * start takes twice as long as any other. Outside of a run nothing can be shared, and it is empty.
 */
export async function aDataDirectory(name: string): Promise<string> {
  const directory = anEmptyDirectory(name);
  const run = process.env.PULSO_RUN_FOLDER;
  // Not Node's cp, which gives the copy's files of PostgreSQL to root.
  if (run) execFileSync('cp', ['-pR', `${await templateIn(run)}/.`, directory]);
  return directory;
}

/** The template of a run. The first suite makes it; those in other processes wait, and take over when its maker has failed. */
async function templateIn(run: string): Promise<string> {
  const folder = join(run, 'template-directory');
  const template = join(folder, 'made');
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  await until(() => existsSync(template) || makeUnlessLocked(folder, template), {
    what: 'the template of a data directory, which another suite makes',
    limit: MADE_MS,
  });
  return template;
}

/** @returns whether it was made; false while another process makes it */
async function makeUnlessLocked(folder: string, template: string): Promise<boolean> {
  const lock = lockIfFree(folder);
  if (!lock) return false;
  try {
    if (!existsSync(template)) await make(join(folder, 'new'), template);
    return true;
  } finally {
    lock.release();
  }
}

function lockIfFree(folder: string) {
  try {
    return lockDataDirectory(folder);
  } catch (error) {
    if (/in use by another instance/.test(String(error))) return undefined;
    throw error;
  }
}

/** Under its last name only when Pulso has stopped in order, so that nothing copies a half-made one. */
async function make(staging: string, template: string): Promise<void> {
  rmSync(staging, { recursive: true, force: true });
  const pulso = await startPulsoProcess({ dataDirectory: staging });
  const code = await pulso.stop();
  if (code !== 0) throw new Error(`Pulso ended with ${code}:\n${pulso.output()}`);
  renameSync(staging, template);
}
