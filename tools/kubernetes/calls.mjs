import { containersOf, meets, podsOf, stays, textsIn, variablesOf } from './objects.mjs';
import { ANYBODY } from './policies.mjs';
import { environmentOf, programOf } from './processes.mjs';

/**
 * Who calls whom by the code: the settings that a process reads and that are addresses, with the values that it gets.
 *
 * @typedef {import('./objects.mjs').KubernetesObject} KubernetesObject
 * @typedef {import('./processes.mjs').Processes} Processes
 * @typedef {import('./processes.mjs').Outside} Outside
 */

const MONITORING = 'namespaces with pulso/monitoring=yes';
/** Where an Ingress is in front, nobody else comes. */
const INGRESS = 'namespaces with pulso/ingress=yes';
const ADDRESS = /_(?:URL|BROKERS|ENDPOINT)$/;
/** A process's own address, as users see it. */
const OWN_ADDRESSES = new Set(['PUBLIC_URL', 'SIMULATOR_URL']);
const DEFAULT_PORTS = {
  ...{ 'http:': 80, 'https:': 443, 'redis:': 6379, 'rediss:': 6379, 'postgres:': 5432, 'postgresql:': 5432 },
  ...{ 'mongodb:': 27017, 'smtp:': 587, 'smtps:': 465 },
};

/**
 * Every call, as `gateway → posts:50051`, with the number of the port of the pod. What is no Service of the namespace keeps its host.
 *
 * @param {readonly KubernetesObject[]} objects
 * @param {{ code: Processes, outside: Outside }} from
 * @returns {string[]}
 */
export function callsOf(objects, { code, outside }) {
  /** @type {Set<string>} */
  const lines = new Set();
  for (const pod of podsOf(objects)) {
    const from = pod.object.metadata.name;
    const addresses = containersOf(pod).flatMap((container) => {
      const program = programOf(container, code);
      if (!program) return stays(pod) ? [] : addressesOfScript(pod, container, objects);
      const { env } = environmentOf(container, { objects, outside });
      for (const line of callersOf(pod, program.reads, { env, objects })) lines.add(line);
      return Object.keys(program.reads.shape)
        .filter((name) => ADDRESS.test(name) && !OWN_ADDRESSES.has(name) && env[name])
        .flatMap((name) => addressesIn(env[name]));
    });
    for (const address of addresses) lines.add(`${from} → ${podsBehind(address, objects)}`);
  }
  return [...lines].sort();
}

/** Who calls a process: Prometheus each one, and anybody the one that listens for browsers. */
function callersOf(pod, { shape, ports }, { env, objects }) {
  if (!stays(pod)) return [];
  const browsers = objects.some(({ kind }) => kind === 'Ingress') ? INGRESS : ANYBODY;
  const to = (setting) => `${pod.object.metadata.name}:${ports(env)[setting]}`;
  return [
    ...('OPERATIONS_PORT' in shape ? [`${MONITORING} → ${to('OPERATIONS_PORT')}`] : []),
    ...('PORT' in shape ? [`${browsers} → ${to('PORT')}`] : []),
  ];
}

/** @param {string} text a URL, or `host:port` with commas @returns {{ host: string, port: number }[]} */
export function addressesIn(text) {
  const [, scheme, rest] = /^([a-z+]+:)\/\/(?:[^/@]*@)?([^/?#]+)/.exec(text) ?? [undefined, undefined, text];
  return rest.split(',').map((one) => {
    const [, host, port] = /^(.*?)(?::(\d+))?$/.exec(one.trim());
    return { host, port: Number(port ?? DEFAULT_PORTS[scheme]) };
  });
}

/** Where a Job of an engine goes: it is a script that names a Service. */
function addressesOfScript(pod, container, objects) {
  const mounted = (pod.spec.volumes ?? []).flatMap(({ configMap }) => configMap?.name ?? []);
  const scripts = objects.filter(
    ({ kind, metadata }) => kind === 'ConfigMap' && mounted.includes(metadata.name),
  );
  const { command, args, env } = container;
  const texts = [...textsIn([command, args, env, scripts.map(({ data }) => data)])].map(([, text]) => text);
  const hosts = variablesOf(container, () => []).map(({ value }) => value);
  return objects
    .filter(({ kind }) => kind === 'Service')
    .flatMap(({ metadata: { name }, spec }) => [
      ...texts.flatMap((text) =>
        [...text.matchAll(new RegExp(`(?<![\\w-])${name}:(\\d+)`, 'g'))].map(([, port]) => ({
          host: name,
          port: Number(port),
        })),
      ),
      ...(hosts.includes(name) && spec.ports.length === 1 ? [{ host: name, port: spec.ports[0].port }] : []),
    ]);
}

/** The pods and the port that a Service leads to. */
function podsBehind({ host, port }, objects) {
  const service = objects.find(
    ({ kind, metadata }) =>
      kind === 'Service' &&
      [metadata.name, `${metadata.name}.pulso`].includes(host.replace(/\.svc(\..*)?$/, '')),
  );
  const target = service?.spec.ports.find((one) => one.port === port)?.targetPort ?? port;
  const pod =
    service && podsOf(objects).find((one) => meets({ matchLabels: service.spec.selector }, one.labels));
  if (!pod) return `${host}:${port}`;
  const named = containersOf(pod)
    .flatMap(({ ports = [] }) => ports)
    .find(({ name }) => name === target);
  return `${pod.object.metadata.name}:${named?.containerPort ?? target}`;
}
