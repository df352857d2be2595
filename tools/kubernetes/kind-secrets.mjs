import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../prepare.mjs';

/** @typedef {Record<string, Record<string, string>>} Values by the name of the object, then by key */

const runFile = promisify(execFile);
/** Types the other one first. */
const SCRIPT = 'deploy/kubernetes/overlays/kind/backup/secrets.sh';
const LIMIT_MS = 60_000;

/**
 * The Secrets and the ConfigMaps that the scripts of overlays/kind make, with passwords and keys of its own: they run themselves, with
 * stand-ins for kubectl and age-keygen. Rejects when it fails.
 *
 * @returns {Promise<{ Secret: Values, ConfigMap: Values }>}
 */
export async function secretsOfKind() {
  const store = mkdtempSync(join(tmpdir(), 'pulso-secrets-'));
  try {
    const env = {
      ...process.env,
      PULSO_STAND_IN: store,
      SKAFFOLD_KUBE_CONTEXT: 'none',
      XDG_CONFIG_HOME: join(store, 'config'),
      PATH: [join(import.meta.dirname, 'stand-in'), process.env.PATH].join(delimiter),
    };
    await runFile('bash', [SCRIPT], { cwd: root, env, timeout: LIMIT_MS }).catch((error) => {
      throw new Error(`${SCRIPT} failed: ${(error.stderr || error.message).trim()}`);
    });
    return { Secret: valuesIn(join(store, 'secret')), ConfigMap: valuesIn(join(store, 'configmap')) };
  } finally {
    rmSync(store, { recursive: true, force: true });
  }
}

/** @returns {Values} */
function valuesIn(folder) {
  const read = (path) =>
    Object.fromEntries(readdirSync(path).map((key) => [key, readFileSync(join(path, key), 'utf8')]));
  return Object.fromEntries(readdirSync(folder).map((name) => [name, read(join(folder, name))]));
}
