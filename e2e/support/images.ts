import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(fileURLToPath(import.meta.url), '../../..');

/** Where `tools/bundling/collect.mjs` puts apart what an image gets. */
interface Collected {
  folder: string;
  target: string;
  programs: string[];
}

/** A stage of deploy/docker/Dockerfile. `copied`: by the stage that they are copied from, undefined for the context. */
interface Stage {
  name: string;
  from: string;
  copied: { from: string | undefined; paths: string[] }[];
  collected: Collected[];
  command: string[] | undefined;
}

/** The stages of the Dockerfile, in its order. Reads what its lines say and no more: that they can be built is shown by a build. */
export function stagesOfImages(): Stage[] {
  const lines = readFileSync(join(root, 'deploy/docker/Dockerfile'), 'utf8')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n');
  const stages: Stage[] = [];
  for (const line of lines) {
    const [, from, name] = /^FROM (\S+) AS (\S+)$/.exec(line) ?? [];
    if (from && name) stages.push({ name, from, copied: [], collected: [], command: undefined });
    const stage = stages.at(-1);
    if (!stage) continue;
    const [, , copiedFrom, paths] = /^COPY (--from=(\S+) )?(.+) \S+$/.exec(line) ?? [];
    if (paths) stage.copied.push({ from: copiedFrom, paths: paths.split(' ') });
    for (const [, folder, target, programs] of line.matchAll(/collect\.mjs (\S+) (\S+) ([^&]+)/g))
      stage.collected.push({ folder: folder!, target: target!, programs: programs!.trim().split(' ') });
    const [, command] = /^CMD (.+)$/.exec(line) ?? [];
    if (command) stage.command = JSON.parse(command) as string[];
  }
  return stages;
}

/** The stages that are images, which begin with what all images share. */
export const images = (stages: readonly Stage[]) => stages.filter(({ from }) => from === 'runtime');

/** What the Dockerfile puts apart for an image. */
export function collectedFor(stages: readonly Stage[], image: string): Collected {
  const all = stages.flatMap(({ collected }) => collected);
  return all.find(({ target }) => target === `/images/${image}`)!;
}

/** The files and folders of the repository that an image is made of, by the lines of all the stages that it needs. */
export function sourcesOfImage(stages: readonly Stage[], image: string): string[] {
  const needed = new Set([image]);
  const sources = new Set<string>();
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

/** What `deploy/docker/inputs` says of an image: by `--paths` the paths, else the files of them. */
export function inputsOfImage(image: string): { paths: string[]; files: string[] } {
  const inputs = (...args: string[]) =>
    execFileSync(join(root, 'deploy/docker/inputs'), [...args, image], { encoding: 'utf8', timeout: 60_000 });
  return {
    paths: inputs('--paths')
      .split('\n')
      .filter((path) => path !== '' && !path.startsWith(':')),
    files: JSON.parse(inputs()) as string[],
  };
}
