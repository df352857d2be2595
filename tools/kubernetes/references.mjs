import { containersOf, meets, placeOf, podsOf, stays } from './objects.mjs';

/** @typedef {import('./objects.mjs').Rendering} Rendering @typedef {import('./objects.mjs').Pod} Pod */

/**
 * What an object names is there, in the overlay or in what is made outside of it, with the key that is asked for; selectors meet pods,
 * and what they lead to.
 *
 * @param {{ complete: readonly Rendering[], outside: Record<string, import('./processes.mjs').Outside> }} facts `outside`: by overlay
 */
export function references({ complete, outside }) {
  const faults = [];
  let count = 0;
  for (const rendering of complete) {
    const { objects, overlay } = rendering;
    const pods = podsOf(objects);
    const keysOf = (kind, name) => {
      const object = objects.find((one) => one.kind === kind && one.metadata.name === name);
      const data = object ? { ...object.data, ...object.binaryData } : outside[overlay]?.[kind]?.[name];
      return data && Object.keys(data);
    };
    for (const object of objects)
      for (const fault of selectorFaults(object, { objects, pods }))
        faults.push(`${placeOf(rendering, object)}: ${fault}`);
    for (const pod of pods)
      for (const { kind, name, key, by } of namedBy(pod)) {
        count++;
        const keys = ['ConfigMap', 'Secret'].includes(kind)
          ? keysOf(kind, name)
          : objects.some((one) => one.kind === kind && one.metadata.name === name) && [];
        const place = `${placeOf(rendering, pod.object)}: ${by} names`;
        if (!keys)
          faults.push(
            `${place} ${kind}/${name}, which is neither rendered nor made outside: correct the name`,
          );
        else if (key !== undefined && !keys.includes(key))
          faults.push(`${place} the key ${key} of ${kind}/${name}, which has ${keys.join(', ') || 'none'}`);
      }
  }
  return { faults, figures: `${count} names of ConfigMaps, Secrets, accounts and claims` };
}

/** What a pod names: `by` says where. @param {Pod} pod */
function namedBy(pod) {
  const { spec, object } = pod;
  const named = containersOf(pod).flatMap((container) => namedByContainer(container));
  if (spec.serviceAccountName)
    named.push({ kind: 'ServiceAccount', name: spec.serviceAccountName, by: 'serviceAccountName' });
  for (const { name: volume, configMap, secret, projected, persistentVolumeClaim } of spec.volumes ?? []) {
    const by = `volume ${volume}`;
    const sources = [{ configMap, secret }, ...(projected?.sources ?? [])];
    for (const source of sources)
      for (const [kind, one] of [
        ['ConfigMap', source.configMap],
        ['Secret', source.secret],
      ]) {
        if (!one || one.optional) continue;
        const name = one.name ?? one.secretName;
        named.push({ kind, name, by }, ...(one.items ?? []).map(({ key }) => ({ kind, name, key, by })));
      }
    if (persistentVolumeClaim)
      named.push({ kind: 'PersistentVolumeClaim', name: persistentVolumeClaim.claimName, by });
  }
  if (object.kind === 'StatefulSet')
    named.push({ kind: 'Service', name: object.spec.serviceName, by: 'serviceName' });
  return named;
}

function namedByContainer({ name: container, env = [], envFrom = [] }) {
  const by = `container ${container}`;
  const refs = [
    ...envFrom.map(({ configMapRef, secretRef }) => [configMapRef, secretRef]),
    ...env.map(({ valueFrom = {} }) => [valueFrom.configMapKeyRef, valueFrom.secretKeyRef]),
  ];
  return refs.flatMap(([configMap, secret]) => {
    const ref = configMap ?? secret;
    if (!ref || ref.optional) return [];
    return [{ kind: configMap ? 'ConfigMap' : 'Secret', name: ref.name, key: ref.key, by }];
  });
}

function* selectorFaults(object, { objects, pods }) {
  const { kind, spec } = object;
  const lasting = pods.filter(stays);
  switch (kind) {
    case 'Deployment':
    case 'StatefulSet':
      yield* faultsOfTemplate(spec);
      return;
    case 'Service':
      if (spec.selector && !lasting.some(({ labels }) => meets({ matchLabels: spec.selector }, labels)))
        yield 'its selector meets no pod: make it equal to the labels of one';
      return;
    case 'PodDisruptionBudget':
      if (!lasting.some(({ labels }) => meets(spec.selector, labels)))
        yield 'its selector meets no pod: make it equal to the labels of one';
      return;
    case 'HorizontalPodAutoscaler': {
      const { kind: target, name } = spec.scaleTargetRef;
      if (!objects.some((one) => one.kind === target && one.metadata.name === name))
        yield `it scales ${target}/${name}, which is not there: correct the name`;
      return;
    }
    case 'NetworkPolicy':
      yield* faultsOfPolicy(spec, pods);
  }
}

function* faultsOfTemplate({ selector, template }) {
  const labels = template.metadata?.labels ?? {};
  if (!meets(selector, labels))
    yield 'its selector does not meet the labels of its own pods: make them equal';
  for (const { topologyKey, labelSelector } of template.spec.topologySpreadConstraints ?? [])
    if (!meets(labelSelector, labels))
      yield `it spreads over ${topologyKey} pods that are not its own: make the selector equal to its labels`;
}

function* faultsOfPolicy({ podSelector, ingress = [], egress = [] }, pods) {
  const peers = [...ingress.flatMap(({ from = [] }) => from), ...egress.flatMap(({ to = [] }) => to)];
  const own = peers
    .filter((peer) => peer.podSelector && !peer.namespaceSelector)
    .map((peer) => peer.podSelector);
  for (const selector of [podSelector, ...own]) {
    if (!pods.some(({ labels }) => meets(selector, labels)))
      yield `the selector ${JSON.stringify(selector)} meets no pod: correct it`;
    for (const { key, operator, values = [] } of selector.matchExpressions ?? [])
      for (const value of operator === 'In' ? values : [])
        if (!pods.some(({ labels }) => labels[key] === value))
          yield `it names pods with ${key}=${value}, and there are none: correct it`;
  }
}
