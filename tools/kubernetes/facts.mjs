import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { GATEWAY_SHAPE, readGatewayConfig } from '@pulso/gateway/config';
import { isSecret } from '@pulso/platform/process/secret';
import { BACKUP_COMMANDS } from '@pulso/registry/backup-settings';
import { loadConfig } from '@pulso/platform/process/load-config';
import { MIGRATIONS, PROCESSES } from '@pulso/registry/setting-names';
import { simulatorSettings } from '@pulso/stripe-simulator/settings';
import { root } from '../prepare.mjs';
import { imageStages, programsOfImage, stagesOfImages } from './dockerfile.mjs';
import { secretsOfKind } from './kind-secrets.mjs';
import { kustomizations, unusedKustomizations } from './kustomizations.mjs';
import { nameOf } from './objects.mjs';
import { PORTS } from './processes.mjs';
import { modulesOf } from './skaffold.mjs';
import { connectionsOf, madeBefore } from './readme.mjs';
import { documentsOf, overlayFolders, renderAll } from './render.mjs';

/** @typedef {import('./processes.mjs').Reads} Reads @typedef {import('./processes.mjs').Outside} Outside */

const read = (path) => readFileSync(join(root, path), 'utf8');
const foldersIn = (path) =>
  readdirSync(join(root, path), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? [entry.name] : [],
  );

/**
 * All that the checks judge: the manifests as they are rendered, what the code reads, and what the documents say. Needs the build.
 * Rejects with MissingTool.
 */
export async function gatherFacts() {
  const [{ renderings, faults: unrendered }, ofKind] = await Promise.all([renderAll(), secretsOfKind()]);
  const readme = read('deploy/kubernetes/README.md');
  const code = codeFacts();
  const all = kustomizations();
  const stages = stagesOfImages();
  const made = mergeMade(
    madeBefore(readme),
    madeBefore(read('docs/operations/tasks/back-up-and-restore.md')),
  );
  const skaffold = documentsOf(read('skaffold.yaml'));
  return {
    renderings,
    complete: completed(renderings),
    unrendered,
    code,
    secretSettings: secretSettings(code),
    ofNode: variablesOfNode(read('docs/operations/settings.md')),
    outside: { kind: ofKind, production: likeKind(made, ofKind) },
    told: connectionsOf(readme),
    secretsTold: Object.keys(made.Secret),
    skaffold,
    skaffoldSchema: JSON.parse(read('deploy/kubernetes/schemas/skaffold-v4beta13.json')),
    isProgram,
    built: new Set(modulesOf(skaffold).flatMap(({ artifacts }) => artifacts.map(({ image }) => image))),
    listed: listedModules(all),
    offline: new Set(
      foldersIn('deploy/docker/offline').filter((name) =>
        existsSync(join(root, `deploy/docker/offline/${name}/Dockerfile`)),
      ),
    ),
    processes: [...Object.keys(PROCESSES), 'gateway'],
    bases: foldersIn('deploy/kubernetes/base'),
    images: Object.fromEntries(imageStages(stages).map(({ name }) => [name, programsOfImage(stages, name)])),
    unused: unusedKustomizations(
      all,
      renderings.map(({ folder }) => folder),
    ),
  };
}

/** @typedef {Awaited<ReturnType<typeof gatherFacts>>} Facts */

/** What each process reads, and how. */
function codeFacts() {
  const processes = {
    ...mapValues(PROCESSES, readsOf),
    gateway: readsOf({
      shape: GATEWAY_SHAPE,
      // The image's folder of the frontend is this repository's, too.
      read: (env) =>
        readGatewayConfig({ ...env, STATIC_DIR: env.STATIC_DIR?.replace(/^\/pulso(?=\/)/, root) }),
    }),
    'stripe-simulator': readsOf({
      shape: simulatorSettings.shape,
      read: (env) => loadConfig(simulatorSettings, env),
    }),
    ...jobs(),
    ...Object.fromEntries(
      Object.entries(BACKUP_COMMANDS).map(([name, one]) => [`backup ${name}`, readsOf(one)]),
    ),
  };
  return { processes, migrations: mapValues(MIGRATIONS, readsOf) };
}

const JOBS = 'e2e/jobs';

/** Jobs that are made of sources alone and have no loader of settings: what they read stands in their text. */
const jobs = () =>
  Object.fromEntries(
    readdirSync(join(root, JOBS)).map((file) => {
      const names = [...read(`${JOBS}/${file}`).matchAll(/process\.env(?:\.|\[')(\w+)/g)].map(
        ([, name]) => name,
      );
      const shape = Object.fromEntries(names.map((name) => [name, undefined]));
      return [file.replace(/\.ts$/, ''), readsOf({ shape, read: (env) => env })];
    }),
  );

/**
 * Each overlay with the modules of the same namespace that are deployed only when they are named: they need what the others have, and
 * may have some of it in another form, which then is the one that runs.
 *
 * @param {readonly import('./objects.mjs').Rendering[]} renderings
 */
const completed = (renderings) =>
  renderings
    .filter(({ module }) => module === undefined)
    .map((whole) => {
      const there = new Map(whole.objects.map((object) => [nameOf(object), JSON.stringify(object)]));
      const isApart = ({ objects }) => objects.some(({ kind }) => kind === 'Namespace');
      const added = renderings
        .filter((one) => one.overlay === whole.overlay && one.module !== undefined && !isApart(one))
        .flatMap(({ objects }) =>
          objects.filter((object) => there.get(nameOf(object)) !== JSON.stringify(object)),
        );
      const instead = new Set(added.map(nameOf));
      const kept = whole.objects.filter((object) => !instead.has(nameOf(object)));
      return { ...whole, objects: [...kept, ...added] };
    });

/** The folders of modules that an overlay as a whole names. @param {Record<string, any>} all kustomizations */
const listedModules = (all) =>
  new Set(
    overlayFolders()
      .filter(({ module }) => module === undefined)
      .flatMap(({ folder }) => (all[folder]?.resources ?? []).map((path) => posix.join(folder, path))),
  );

/** @returns {Reads} */
const readsOf = ({ shape, read: readAll }) => ({ shape, read: readAll, ports: (env) => portsIn(shape, env) });

/** A port that is wrong is none here: the check of settings names it. */
const portsIn = (shape, env) =>
  Object.fromEntries(
    Object.values(PORTS).flatMap((name) => {
      const parsed = shape[name]?.safeParse(env[name] || undefined);
      return parsed?.success ? [[name, parsed.data]] : [];
    }),
  );

/** The names of the settings that the code marks as secret. @param {ReturnType<typeof codeFacts>} code */
function secretSettings({ processes, migrations }) {
  const shapes = [...Object.values(processes), ...Object.values(migrations)].map(({ shape }) => shape);
  const all = shapes.flatMap((shape) => Object.entries(shape));
  return new Set(all.filter(([, schema]) => schema && isSecret(schema)).map(([name]) => name));
}

/** Those that docs/operations/settings.md names in the section of Node's own. @param {string} text */
function variablesOfNode(text) {
  const [, section = ''] = /^## Node's own settings\n([\s\S]*?)^## /m.exec(text) ?? [];
  return new Set([...section.matchAll(/`([A-Z][A-Z_]+)/g)].map(([, name]) => name));
}

/**
 * What production has made, with the values that kind's script makes: those of the object of the same name, else those of any that has
 * the key. A key that kind does not know has no value.
 *
 * @param {ReturnType<typeof madeBefore>} made @param {Outside} ofKind @returns {Outside}
 */
function likeKind(made, ofKind) {
  const valueOf = (kind, name, key) =>
    [ofKind[kind][name], ...Object.values(ofKind[kind])].find((values) => values?.[key] !== undefined)?.[key];
  const of = (kind) =>
    mapValues(made[kind], (keys, name) =>
      Object.fromEntries(keys.map((key) => [key, valueOf(kind, name, key)])),
    );
  return { Secret: of('Secret'), ConfigMap: of('ConfigMap') };
}

const mergeMade = (one, other) => ({
  Secret: { ...one.Secret, ...other.Secret },
  ConfigMap: { ...one.ConfigMap, ...other.ConfigMap },
});

const mapValues = (record, change) =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value, key)]));

/** Whether a path of the repository is a file that may be run. */
const isProgram = (path) =>
  ((statSync(join(root, path), { throwIfNoEntry: false })?.mode ?? 0) & 0o111) !== 0;
