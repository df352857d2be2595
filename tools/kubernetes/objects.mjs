/**
 * What all checks need to know of Kubernetes objects. An object is one as kustomize renders it, parsed.
 *
 * @typedef {{ apiVersion?: string, kind: string, metadata: { name: string, namespace?: string, labels?: Record<string, string> },
 *   [key: string]: any }} KubernetesObject
 *
 * @typedef {object} Pod the pods that an object makes
 * @property {KubernetesObject} object
 * @property {string} name of the object, as `Deployment/billing`
 * @property {Record<string, string>} labels
 * @property {Record<string, any>} spec
 *
 * @typedef {object} Rendering
 * @property {string} overlay `kind` or `production`
 * @property {string} [module] the folder in the overlay; none for the overlay as a whole
 * @property {string} folder from the repository's root
 * @property {KubernetesObject[]} objects
 */

/** @param {KubernetesObject} object */
export const nameOf = (object) => `${object.kind}/${object.metadata.name}`;

/** Where an object comes from and what it is, for messages. @param {{ folder: string }} rendering @param {KubernetesObject} object */
export const placeOf = ({ folder }, object) => `${folder}: ${nameOf(object)}`;

/** @param {KubernetesObject} object @returns {Pod | undefined} undefined for an object that makes no pods */
export function podOf(object) {
  const template = object.kind === 'CronJob' ? object.spec?.jobTemplate?.spec?.template : templateOf(object);
  if (!template) return undefined;
  return { object, name: nameOf(object), labels: template.metadata?.labels ?? {}, spec: template.spec ?? {} };
}

const TEMPLATED = new Set(['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet', 'Job']);

/** @param {KubernetesObject} object */
function templateOf(object) {
  if (object.kind === 'Pod') return object;
  return TEMPLATED.has(object.kind) ? object.spec?.template : undefined;
}

/** @param {readonly KubernetesObject[]} objects @returns {Pod[]} */
export const podsOf = (objects) => objects.flatMap((object) => podOf(object) ?? []);

/** Whether a pod stays, while that of a Job ends. @param {Pod} pod */
export const stays = ({ object }) => !['Job', 'CronJob'].includes(object.kind);

/** All containers of a pod, those that begin it first. @param {Pod} pod @returns {Record<string, any>[]} */
export const containersOf = ({ spec }) => [...(spec.initContainers ?? []), ...(spec.containers ?? [])];

/** Whether a label selector meets labels. An empty one meets all. */
export function meets(selector, labels) {
  const exact = Object.entries(selector?.matchLabels ?? {}).every(([key, value]) => labels[key] === value);
  return (
    exact && (selector?.matchExpressions ?? []).every((expression) => meetsExpression(expression, labels))
  );
}

function meetsExpression({ key, operator, values = [] }, labels) {
  switch (operator) {
    case 'In':
      return Object.hasOwn(labels, key) && values.includes(labels[key]);
    case 'NotIn':
      return !values.includes(labels[key]);
    case 'Exists':
      return Object.hasOwn(labels, key);
    case 'DoesNotExist':
      return !Object.hasOwn(labels, key);
    default:
      throw new Error(`a selector has the unknown operator ${operator}`);
  }
}

/** Each text within a value, with its path. @returns {Generator<[string, string]>} */
export function* textsIn(value, path = '') {
  if (typeof value === 'string') yield [path, value];
  else if (value && typeof value === 'object')
    for (const [key, inner] of Object.entries(value)) yield* textsIn(inner, path ? `${path}.${key}` : key);
}

/**
 * The environment of a container: each variable with its literal value, or with the ConfigMap or Secret that it comes from.
 * A later one wins over an earlier one, and `env` over `envFrom`, as in Kubernetes.
 *
 * @typedef {{ name: string, value?: string, from?: { kind: 'ConfigMap' | 'Secret', name: string, key: string } }} Variable
 *
 * @param {Record<string, any>} container
 * @param {(kind: 'ConfigMap' | 'Secret', name: string) => readonly string[]} keysOf what an object that is named whole has
 * @returns {Variable[]}
 */
export function variablesOf(container, keysOf) {
  const variables = new Map();
  for (const { configMapRef, secretRef, prefix = '' } of container.envFrom ?? []) {
    const kind = configMapRef ? 'ConfigMap' : 'Secret';
    const { name } = configMapRef ?? secretRef;
    for (const key of keysOf(kind, name)) variables.set(`${prefix}${key}`, { from: { kind, name, key } });
  }
  for (const { name, value = '', valueFrom } of container.env ?? []) {
    const { configMapKeyRef, secretKeyRef } = valueFrom ?? {};
    const ref = configMapKeyRef ?? secretKeyRef;
    const kind = configMapKeyRef ? 'ConfigMap' : 'Secret';
    if (ref) variables.set(name, { from: { kind, name: ref.name, key: ref.key } });
    else variables.set(name, valueFrom ? {} : { value });
  }
  return [...variables].map(([name, variable]) => ({ name, ...variable }));
}
