/**
 * What skaffold.yaml says.
 *
 * @typedef {object} Module a document of skaffold.yaml
 * @property {string} name
 * @property {{ image: string, commands: string[][] }[]} artifacts with the commands that build an image and list its inputs
 * @property {Record<string, string[]>} paths of kustomizations, by profile
 * @property {(profile: string) => boolean} namesDeployer
 * @property {{ profile: string | undefined, command: string[] }[]} hooks that run on this machine; those of no profile always
 * @property {string[]} requires
 */

/** @param {readonly any[]} documents @returns {Module[]} */
export const modulesOf = (documents) =>
  documents.map(({ metadata, build, deploy, requires = [], profiles = [] }) => ({
    name: metadata?.name ?? '(without a name)',
    artifacts: [build, ...profiles.map((profile) => profile.build)].flatMap(artifactsOf),
    paths: Object.fromEntries(
      profiles.map(({ name, manifests }) => [name, manifests?.kustomize?.paths ?? []]),
    ),
    namesDeployer: (profile) => Boolean(deploy ?? profiles.find(({ name }) => name === profile)?.deploy),
    hooks: [
      ...hooksOf(deploy).map((command) => ({ profile: undefined, command })),
      ...profiles.flatMap((profile) =>
        hooksOf(profile.deploy).map((command) => ({ profile: profile.name, command })),
      ),
    ],
    requires: requires.flatMap(({ configs = [] }) => configs),
  }));

const artifactsOf = (build) =>
  (build?.artifacts ?? []).map(({ image, custom }) => ({
    image,
    commands: [custom?.buildCommand, custom?.dependencies?.command].flatMap((line) =>
      line ? [line.split(' ')] : [],
    ),
  }));

const hooksOf = (deploy) => {
  const { before = [], after = [] } = deploy?.kubectl?.hooks ?? {};
  return [...before, ...after].flatMap(({ host }) => (host ? [host.command] : []));
};

const DELETE_JOBS = 'deploy/kubernetes/delete-jobs';

/**
 * Each path and each command of skaffold.yaml is there, each module deploys what its hooks name, and `pulso` requires all that belong to
 * an overlay as a whole. Others are deployed when they are named.
 *
 * @param {{ skaffold: readonly any[], renderings: readonly import('./objects.mjs').Rendering[], listed: ReadonlySet<string>,
 *   isProgram: (path: string) => boolean }} facts `listed`: the folders of modules that an overlay names; `isProgram`: whether a file of
 * the repository may be run
 */
export function skaffold({ skaffold: documents, renderings, listed, isProgram }) {
  const modules = modulesOf(documents);
  const faults = modules.flatMap((module) =>
    [...faultsOfModule(module, { renderings, isProgram })].map(
      (fault) => `skaffold.yaml: module ${module.name}: ${fault}`,
    ),
  );
  const names = new Set(modules.map(({ name }) => name));
  const wholes = modules.filter(({ requires }) => requires.length > 0);
  for (const { name, requires } of wholes)
    for (const required of requires)
      if (!names.has(required))
        faults.push(`skaffold.yaml: module ${name} requires ${required}, which is no module`);
  const all = new Set(wholes.flatMap(({ requires }) => requires));
  for (const { name, paths } of modules)
    if (
      !all.has(name) &&
      Object.values(paths).some((folders) => folders.some((folder) => listed.has(folder)))
    )
      faults.push(
        `skaffold.yaml: module ${name} is not required by pulso, so skaffold run leaves it out: add it`,
      );
  for (const { overlay, folder } of renderings)
    if (listed.has(folder) && !modules.some(({ paths }) => paths[overlay]?.includes(folder)))
      faults.push(
        `${folder} is deployed by no module of skaffold.yaml: name it in the profile ${overlay} of one`,
      );
  return { faults, figures: `${modules.length} modules` };
}

function* faultsOfModule(module, { renderings, isProgram }) {
  for (const [profile, paths] of Object.entries(module.paths))
    for (const path of paths)
      if (!renderings.some(({ folder }) => folder === path))
        yield `profile ${profile} names ${path}, which is no overlay that can be rendered: correct it`;
  const commands = [
    ...module.hooks.map(({ command }) => command),
    ...module.artifacts.flatMap((one) => one.commands),
  ];
  for (const [program] of commands)
    if (!isProgram(program)) yield `it runs ${program}, which is no program of the repository: correct it`;
  for (const { image, commands: own } of module.artifacts)
    for (const [program, process] of own)
      if (`pulso/${process}` !== image)
        yield `${program} ${process} does not belong to the image ${image}: make them equal`;
  for (const overlay of new Set(renderings.map((one) => one.overlay)))
    if (module.namesDeployer(overlay) && !module.paths[overlay]?.length)
      yield `with ${overlay} it names a deployer and deploys nothing, so skaffold run ends with an error: move deploy to the profiles that deploy`;
  yield* faultsOfJobs(module, renderings);
}

/** None can be applied over another one, so each Job of the deployment before is deleted first. */
function* faultsOfJobs({ paths, hooks }, renderings) {
  for (const [profile, folders] of Object.entries(paths)) {
    const jobs = renderings
      .filter(({ folder }) => folders.includes(folder))
      .flatMap(({ objects }) =>
        objects.filter(({ kind }) => kind === 'Job').map(({ metadata }) => metadata.name),
      );
    const deleted = hooks
      .filter((hook) => hook.command[0] === DELETE_JOBS && [undefined, profile].includes(hook.profile))
      .flatMap(({ command }) => command.slice(1));
    for (const name of deleted)
      if (!jobs.includes(name))
        yield `with profile ${profile} it deletes the Job ${name}, which it does not deploy: correct it`;
    for (const name of jobs)
      if (!deleted.includes(name))
        yield `with profile ${profile} it deploys the Job ${name} and does not delete that of the deployment before: add it to ${DELETE_JOBS}`;
  }
}
