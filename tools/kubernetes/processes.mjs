import { basename } from 'node:path';
import { podsOf, containersOf, variablesOf } from './objects.mjs';

/**
 * What the containers run, and what their environment is.
 *
 * @typedef {object} Reads what a program reads from its environment
 * @property {Record<string, unknown>} shape by the settings' names
 * @property {(env: Record<string, string>) => object} read as the program does it; throws an Error that names what is wrong
 * @property {(env: Record<string, string>) => Record<string, number>} ports by their settings
 *
 * @typedef {{ processes: Record<string, Reads>, migrations: Record<string, Reads> }} Processes by the name of the process, and of the
 * service; where a command of an image reads settings of its own, by both names (`backup run`)
 *
 * @typedef {{ Secret: Record<string, Record<string, string>>, ConfigMap: Record<string, Record<string, string>> }} Outside what is made
 * outside of the manifests, by name, then by key
 */

/** The settings that say where a process listens, by the names of the ports of its container. */
export const PORTS = { operations: 'OPERATIONS_PORT', rpc: 'RPC_PORT', bytes: 'BYTES_PORT', http: 'PORT' };

/** The process whose image a container has; undefined for an image of others. @param {{ image?: string }} container */
export const processOf = ({ image = '' }) => (image.startsWith('pulso/') ? basename(image) : undefined);

/** Whether a container makes a service's schema, or waits for it. @param {{ args?: string[] }} container */
export const isMigration = ({ args = [] }) => /\/cli\/main\.js$/.test(args[0] ?? '') && args[1] === 'migrate';

/**
 * What a container runs; undefined for an image of others, or of a process that the code does not have.
 *
 * @param {{ image?: string, args?: string[] }} container @param {Processes} code
 * @returns {{ name: string, reads: Reads } | undefined}
 */
export function programOf(container, { processes, migrations }) {
  const name = processOf(container);
  if (name === undefined) return undefined;
  const ofCommand = processes[`${name} ${container.args?.[1]}`] ?? processes[name];
  const reads = isMigration(container) ? migrations[name] : ofCommand;
  return reads && { name: isMigration(container) ? `migrate of ${name}` : name, reads };
}

/**
 * The environment of a container with its values; `missing` are variables that come from what has no such key.
 *
 * @param {Record<string, any>} container
 * @param {{ objects: readonly import('./objects.mjs').KubernetesObject[], outside: Outside }} where
 * @returns {{ env: Record<string, string>, missing: string[] }}
 */
export function environmentOf(container, { objects, outside }) {
  const dataOf = (kind, name) =>
    objects.find((object) => object.kind === kind && object.metadata.name === name)?.data ??
    outside[kind][name];
  const variables = variablesOf(container, (kind, name) => Object.keys(dataOf(kind, name) ?? {}));
  const env = {};
  const missing = [];
  for (const { name, value, from } of variables) {
    const found = from ? dataOf(from.kind, from.name)?.[from.key] : value;
    if (found !== undefined) env[name] = found;
    else if (from) missing.push(name);
  }
  return { env, missing };
}

/** The processes that stay, with their pods: those of a label, not the Jobs. @param {readonly import('./objects.mjs').KubernetesObject[]} objects */
export const containersOfProcesses = (objects) =>
  podsOf(objects).flatMap((pod) =>
    containersOf(pod).flatMap((container) => {
      const process = processOf(container);
      return process ? [{ pod, container, process }] : [];
    }),
  );
