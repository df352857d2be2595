import { placeOf } from './objects.mjs';
import { containersOfProcesses, isMigration } from './processes.mjs';
import { modulesOf } from './skaffold.mjs';

/** @typedef {import('./objects.mjs').Rendering} Rendering */

/** Folders of base that are no process. */
const NO_PROCESSES = new Set(['namespace']);
const RECIPE = 'docs/recipes.md, "A process on Kubernetes", says how';

/**
 * Every process of the repository has an image, a base, a place in each overlay, a module of Skaffold and its Secret in the README, and
 * nothing else has; containers run programs that their images have.
 *
 * @param {{ processes: readonly string[], renderings: readonly Rendering[], skaffold: readonly any[], bases: readonly string[],
 *   images: Record<string, string[]>, secretsTold: readonly string[], unused: readonly string[] }} facts `images`: the programs of each
 * image; `bases`: the folders of deploy/kubernetes/base; `secretsTold`: the Secrets that the README lists; `unused`: the kustomizations
 * that no overlay leads to
 */
export function coverage({ processes, renderings, skaffold, bases, images, secretsTold, unused }) {
  const modules = modulesOf(skaffold);
  const overlays = [...new Set(renderings.map(({ overlay }) => overlay))];
  const faults = unused.map((path) => `${path}: no overlay leads to it: name it in one, or delete it`);
  const lacks = (name, what) => faults.push(`${name} ${what}: ${RECIPE}`);
  for (const name of processes) {
    if (!images[name]) lacks(name, 'has no image in deploy/docker/Dockerfile');
    if (!bases.includes(name)) lacks(name, `has no folder deploy/kubernetes/base/${name}`);
    if (!secretsTold.includes(name))
      lacks(name, 'has no row in the table of Secrets of deploy/kubernetes/README.md');
    for (const overlay of overlays) {
      const home = renderings.find(
        (one) => one.overlay === overlay && one.module !== undefined && runs(one, name),
      );
      if (!home) lacks(name, `is in no module of overlays/${overlay}`);
      else if (!isIn(renderings, overlay, name))
        lacks(name, `is not in overlays/${overlay}/kustomization.yaml`);
      const built = modules.some(
        ({ artifacts, paths }) =>
          artifacts.some(({ image }) => image === `pulso/${name}`) &&
          (!home || paths[overlay]?.includes(home.folder)),
      );
      if (!built)
        lacks(name, `is not built by the module of skaffold.yaml that deploys it with profile ${overlay}`);
    }
  }
  for (const base of bases)
    if (!processes.includes(base) && !NO_PROCESSES.has(base))
      faults.push(
        `deploy/kubernetes/base/${base} is of no process: add it to the registry, or delete the folder`,
      );
  for (const rendering of renderings.filter(({ module }) => module === undefined))
    for (const { pod, container, process } of containersOfProcesses(rendering.objects)) {
      const program = container.args?.[0];
      if (images[process] && !images[process].includes(program))
        faults.push(
          `${placeOf(rendering, pod.object)}: container ${container.name} runs ${program ?? 'nothing'}, which image ${container.image} does not have: it has ${images[process].join(', ')}`,
        );
    }
  return { faults, figures: `${processes.length} processes in ${overlays.length} overlays` };
}

/** Whether a rendering has a container that is the process itself. */
const runs = ({ objects }, name) =>
  containersOfProcesses(objects).some(
    ({ process, container }) => process === name && !isMigration(container),
  );

const isIn = (renderings, overlay, name) =>
  renderings.some((one) => one.overlay === overlay && one.module === undefined && runs(one, name));
