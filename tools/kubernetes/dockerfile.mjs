import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../prepare.mjs';

/**
 * @typedef {{ folder: string, target: string, programs: string[] }} Collected where `tools/bundling/collect.mjs` puts apart what an
 * image gets
 *
 * @typedef {object} Stage of deploy/docker/Dockerfile
 * @property {string} name
 * @property {string} from
 * @property {{ from: string | undefined, paths: string[] }[]} copied by the stage that they are copied from, undefined for the context
 * @property {Collected[]} collected
 * @property {string[] | undefined} command
 */

/**
 * The stages of the Dockerfile, in its order. Reads what its lines say and no more: that they can be built is shown by a build.
 *
 * @returns {Stage[]}
 */
export function stagesOfImages() {
  const lines = readFileSync(join(root, 'deploy/docker/Dockerfile'), 'utf8')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n');
  /** @type {Stage[]} */
  const stages = [];
  for (const line of lines) {
    const [, from, name] = /^FROM (\S+) AS (\S+)$/.exec(line) ?? [];
    if (from && name) stages.push({ name, from, copied: [], collected: [], command: undefined });
    const stage = stages.at(-1);
    if (!stage) continue;
    const [, , copiedFrom, paths] = /^COPY (--from=(\S+) )?(.+) \S+$/.exec(line) ?? [];
    if (paths) stage.copied.push({ from: copiedFrom, paths: paths.split(' ') });
    for (const [, folder, target, programs] of line.matchAll(/collect\.mjs (\S+) (\S+) ([^&]+)/g))
      stage.collected.push({ folder, target, programs: programs.trim().split(' ') });
    const [, command] = /^CMD (.+)$/.exec(line) ?? [];
    if (command) stage.command = JSON.parse(command);
  }
  return stages;
}

/** The stages that are images, which begin with what all images share. @param {readonly Stage[]} stages */
export const imageStages = (stages) => stages.filter(({ from }) => from === 'runtime');

/** What the Dockerfile puts apart for an image. @param {readonly Stage[]} stages @param {string} image */
export function collectedFor(stages, image) {
  const all = stages.flatMap(({ collected }) => collected);
  return all.find(({ target }) => target === `/images/${image}`);
}

/** The programs that an image has, as its container runs them. @param {readonly Stage[]} stages @param {string} image */
export function programsOfImage(stages, image) {
  const collected = collectedFor(stages, image);
  if (collected) return collected.programs.map((program) => `${collected.folder}/bundle/${program}.js`);
  // A Job of sources alone has the one that it runs.
  return stages.find(({ name }) => name === image)?.command?.slice(0, 1) ?? [];
}

/**
 * The files and folders of the repository that an image is made of, by the lines of all the stages that it needs.
 *
 * @param {readonly Stage[]} stages @param {string} image @returns {string[]}
 */
export function sourcesOfImage(stages, image) {
  const needed = new Set([image]);
  const sources = new Set();
  for (const name of needed) {
    const stage = stages.find((one) => one.name === name);
    if (!stage) continue;
    needed.add(stage.from);
    for (const { from, paths } of stage.copied) {
      if (from) needed.add(from);
      else paths.forEach((path) => sources.add(path));
    }
  }
  return [...sources];
}

/**
 * What `deploy/docker/inputs` says of an image: by `--paths` the paths, else the files of them. Throws where it knows none.
 *
 * @param {string} image @returns {{ paths: string[], files: string[] }}
 */
export function inputsOfImage(image) {
  const inputs = (...args) =>
    execFileSync(join(root, 'deploy/docker/inputs'), [...args, image], { encoding: 'utf8', timeout: 60_000 });
  return {
    paths: inputs('--paths')
      .split('\n')
      .filter((path) => path !== '' && !path.startsWith(':')),
    files: JSON.parse(inputs()),
  };
}
