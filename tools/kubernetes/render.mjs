import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parseAllDocuments } from 'yaml';
import { root } from '../prepare.mjs';
import { kustomizeCommand } from './tools.mjs';

/** @typedef {import('./objects.mjs').KubernetesObject} KubernetesObject @typedef {import('./objects.mjs').Rendering} Rendering */

const runFile = promisify(execFile);
const OVERLAYS = 'deploy/kubernetes/overlays';
const LIMIT_MS = 60_000;
const OUTPUT_BYTES = 64 * 1024 * 1024;

/** The documents of a YAML text. Throws if it is none. @returns {any[]} */
export function documentsOf(text) {
  return parseAllDocuments(text).map((document) => {
    if (document.errors.length > 0) throw document.errors[0];
    return document.toJS();
  });
}

/**
 * The objects that a folder with a kustomization makes. Rejects with kustomize's own words, or with MissingTool.
 *
 * @param {string} folder absolute, or from the repository's root
 * @returns {Promise<KubernetesObject[]>}
 */
export async function render(folder) {
  const [command, ...args] = await kustomizeCommand();
  const { stdout } = await runFile(command, [...args, folder], {
    ...{ cwd: root, timeout: LIMIT_MS, maxBuffer: OUTPUT_BYTES },
  });
  return documentsOf(stdout).filter(Boolean);
}

/** The overlays, and in each the folders of its modules. @returns {Omit<Rendering, 'objects'>[]} */
export function overlayFolders() {
  const isKustomized = (folder) => existsSync(join(root, folder, 'kustomization.yaml'));
  const foldersIn = (folder) =>
    readdirSync(join(root, folder), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => ({ name, path: `${folder}/${name}` }))
      .filter(({ path }) => isKustomized(path));
  return foldersIn(OVERLAYS).flatMap(({ name: overlay, path }) => [
    { overlay, folder: path },
    ...foldersIn(path).map(({ name: module, path: folder }) => ({ overlay, module, folder })),
  ]);
}

/**
 * Renders all overlays and their modules, as many at once as there are processors. What cannot be rendered is a fault.
 *
 * @returns {Promise<{ renderings: Rendering[], faults: string[] }>}
 */
export async function renderAll() {
  await kustomizeCommand();
  const folders = overlayFolders();
  const done = new Array(folders.length);
  const faults = [];
  let next = 0;
  const work = async () => {
    for (let place = next++; place < folders.length; place = next++) {
      const { folder } = folders[place];
      try {
        done[place] = { ...folders[place], objects: await render(folder) };
      } catch (error) {
        faults.push(`${folder}: kustomize cannot render it: ${error.message.trim()}`);
      }
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return { renderings: done.filter(Boolean), faults };
}
