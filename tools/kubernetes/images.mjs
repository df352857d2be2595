import { basename } from 'node:path';
import { containersOf, placeOf, podOf } from './objects.mjs';

/** @typedef {import('./objects.mjs').Rendering} Rendering */

/** The name, tag and digest of an image. @param {string} image */
export function partsOf(image) {
  const [, name, tag, digest] = /^(.+?)(?::([^:/@]+))?(?:@(.+))?$/.exec(image) ?? [];
  return { name, tag, digest };
}

/**
 * Every image is named by its tag or digest, never by `latest`; Pulso's own have none in the manifests, because Skaffold gives it,
 * and are built by skaffold.yaml. Where no registry is reached, each engine's image can be made of packages.
 *
 * @param {{ renderings: readonly Rendering[], built: ReadonlySet<string>, offline: ReadonlySet<string> }} facts `built`: the images
 * of skaffold.yaml; `offline`: the folders of deploy/docker/offline with a Dockerfile
 */
export function images({ renderings, built, offline }) {
  const faults = [];
  const seen = new Set();
  for (const rendering of renderings)
    for (const object of rendering.objects) {
      const pod = podOf(object);
      for (const { name: container, image = '' } of pod ? containersOf(pod) : []) {
        seen.add(image);
        const fault = faultOf(image, built);
        const engine = basename(partsOf(image).name ?? '');
        const place = `${placeOf(rendering, object)}: container ${container}`;
        if (fault) faults.push(`${place}: image ${image || '(none)'} ${fault}`);
        else if (rendering.module === 'infra' && !built.has(image) && !offline.has(engine))
          faults.push(
            `${place}: image ${image} has no deploy/docker/offline/${engine}/Dockerfile, so a closed network cannot have it`,
          );
      }
    }
  const own = [...seen].filter((image) => built.has(image)).length;
  return { faults, figures: `${seen.size} images, ${own} of them built by Skaffold` };
}

function faultOf(image, built) {
  const { name, tag, digest } = partsOf(image);
  if (!name) return 'is none: name one';
  if (name.startsWith('pulso/')) {
    if (tag || digest) return 'has a tag or digest: take it away, Skaffold gives one of the content';
    return built.has(name)
      ? undefined
      : 'is built by no module of skaffold.yaml: add it to the artifacts of its module';
  }
  if (digest) return undefined;
  if (!tag) return 'has no tag, which means latest: name the version';
  return tag === 'latest'
    ? 'has the tag latest, which is another image tomorrow: name the version'
    : undefined;
}
