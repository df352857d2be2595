import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runProgram } from './child-process.mjs';
import { isInstalled, showInstallProgress } from './installed.mjs';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

const MINIMUM_NODE = [20, 19];
/** Files whose times are those of the last build, and of the last bundling of the programs of `npm start` and of all. */
const noteOf = (name) => join(root, 'node_modules', `.pulso-${name}`);
const SOURCES = [
  'proto',
  'services',
  'gateway',
  'frontend',
  'deploy/embedded',
  'deploy/stripe-simulator',
  'tools',
];
const GENERATED = /frontend[\\/](openapi\.json|src[\\/]api[\\/](schema\.d|limits)\.ts)$/;
const NOT_SOURCES = new Set(['testing', 'node_modules', 'dist', 'bundle', 'gen', 'test', '.nx']);

/** Ends the program with one line unless this version of Node can run Pulso. */
export function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  const [wantMajor, wantMinor] = MINIMUM_NODE;
  if (major > wantMajor || (major === wantMajor && minor >= wantMinor)) return;
  fail(`Node ${MINIMUM_NODE.join('.')} or newer is needed; this is ${process.versions.node}.`);
}

export function fail(line) {
  console.error(`pulso: ${line}`);
  process.exit(1);
}

/**
 * Runs a step of the set-up. Shows its output only when it fails, and then ends the program. When this process ends
 * before, so does the step.
 */
export async function step(title, command, args, options = {}) {
  const started = Date.now();
  process.stdout.write(`${title} … `);
  const { code, output } = await runProgram(command, args, { cwd: root, ...options }).catch((error) => ({
    code: null,
    output: error.message,
  }));
  if (code === 0) {
    console.log(`${((Date.now() - started) / 1000).toFixed(1)} s`);
    return;
  }
  console.log('failed');
  console.error(output);
  fail(`${title} failed.`);
}

/** Installs dependencies when they are missing or not those of the lock file. */
export async function installWhenNeeded() {
  if (isInstalled(root)) return;
  const stopProgress = showInstallProgress(root);
  await step('Installing dependencies', 'npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error']).finally(
    stopProgress,
  );
}

/**
 * Builds when a source is newer than the last build; Nx then builds only what changed. The check is ours, because Nx
 * alone needs 1.2 s to find that nothing has changed, and every `npm start` would wait for it.
 *
 * @param {'none' | 'start' | 'all'} bundles whose programs are needed as one file each: those of `npm start`, or of all packages
 */
export async function buildWhenNeeded(bundles = 'all') {
  const newest = newestSource();
  const isOld = (name) => timeOf(noteOf(name)) <= newest;
  if (isOld('built') || (bundles !== 'none' && isOld(`bundled-${bundles}`))) await build(bundles);
}

/** Nx takes unchanged packages from its cache and writes their output again. @param {'none' | 'start' | 'all'} bundles */
export async function build(bundles = 'none') {
  await runNx('Building', ['-t', 'build']);
  writeFileSync(noteOf('built'), '');
  if (bundles === 'none') return;
  await runNx('Bundling', ['-t', 'bundle', ...(bundles === 'start' ? ['-p', '@pulso/embedded'] : [])]);
  for (const name of bundles === 'all' ? ['start', 'all'] : ['start'])
    writeFileSync(noteOf(`bundled-${name}`), '');
}

function runNx(title, args) {
  return step(title, process.execPath, [join(root, 'node_modules/nx/dist/bin/nx.js'), 'run-many', ...args], {
    env: { ...process.env, NX_DAEMON: 'false', NX_TUI: 'false' },
  });
}

function newestSource() {
  let newest = Math.max(
    ...['package-lock.json', 'swc.build.json', 'nx.json'].map((file) => timeOf(join(root, file))),
  );
  const visit = (folder) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) {
        if (!NOT_SOURCES.has(entry.name)) visit(path);
      } else if (!GENERATED.test(path)) {
        newest = Math.max(newest, statSync(path).mtimeMs);
      }
    }
  };
  for (const folder of SOURCES) visit(join(root, folder));
  return newest;
}

/** 0 for a file that is missing. */
const timeOf = (file) => (existsSync(file) ? statSync(file).mtimeMs : 0);

/** Runs a check and shows its output; a failure ends the program with the check's exit code. */
export function run(title, command, args, options = {}) {
  console.log(`\n— ${title}`);
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit', ...options });
  if (error) fail(`${title}: ${error.message}`);
  if (status !== 0) process.exit(status ?? 1);
}
