import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const runFile = promisify(execFile);

/** The version of Kubernetes whose schemas and rules the manifests are judged by. */
export const KUBERNETES = '1.34';
export const requirements = join(import.meta.dirname, 'requirements.txt');
const INSTALL = 'node tools/kubernetes/install.mjs';

/** The virtual environment of Python with the tools, by the content of the list of them. */
export function toolsFolder() {
  const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'pulso');
  const list = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 12);
  return join(cache, `kubernetes-${list}`);
}

/** A program of the virtual environment, if it is there. @param {string} name */
function installed(name) {
  const [folder, extension] = process.platform === 'win32' ? ['Scripts', '.exe'] : ['bin', ''];
  const file = join(toolsFolder(), folder, `${name}${extension}`);
  return existsSync(file) ? file : undefined;
}

/** A tool that a check needs is missing; the message says how to install it. */
export class MissingTool extends Error {
  name = 'MissingTool';
}

/** The Python that has `kubernetes_validate`. Throws MissingTool. */
export function pythonWithSchemas() {
  const python = installed('python');
  if (!python)
    throw new MissingTool(
      `kubernetes-validate is missing: ${INSTALL} installs it (it needs Python 3 with venv)`,
    );
  return python;
}

/** @type {Promise<string[]> | undefined} */
let kustomize;

/**
 * The command that renders a folder, to which the folder is added: the kubectl that `install.mjs` has installed, else kustomize or
 * kubectl on PATH. Rejects with MissingTool.
 *
 * @returns {Promise<string[]>}
 */
export const kustomizeCommand = () => (kustomize ??= findKustomize());

async function findKustomize() {
  const own = installed('kubectl');
  if (own) return [own, 'kustomize'];
  for (const [command, ...version] of [
    ['kustomize', 'version'],
    ['kubectl', 'version', '--client'],
  ]) {
    const found = await runFile(command, version, { timeout: 30_000 }).then(
      () => true,
      (error) => {
        if (error.code === 'ENOENT') return false;
        throw error;
      },
    );
    if (found) return command === 'kustomize' ? [command, 'build'] : [command, 'kustomize'];
  }
  throw new MissingTool(
    `kustomize and kubectl are missing: ${INSTALL} installs kubectl; on macOS, brew install kustomize`,
  );
}
