import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRegistry } from '@pulso/platform/telemetry/metrics';
import { root } from '../prepare.mjs';

/** @typedef {Map<string, ReadonlySet<string>>} Metrics labels by the name of a series */

/** What every series has: `service` by the process, the others by Prometheus. */
const COMMON = ['service', 'instance', 'job'];
const DECLARATION =
  /\b(counter|gauge|histogram)\([^{;]*\{\s*name: '([a-z_]+)',\s*help: .*\n(?:\s*labelNames(?:: (\[[^\]]*\]))?,)?/g;
const SHARED_LABELS = /const labelNames(?:: [^=]+)? = (\[[^\]]*\])/;

/** The series that processes show, as the code declares them, and those of Node. @returns {Promise<Metrics>} */
export async function metricsOfCode() {
  const metrics = new Map();
  const add = (name, kind, labels) => {
    const all = new Set([...COMMON, ...labels]);
    if (kind !== 'histogram') return metrics.set(name, all);
    for (const suffix of ['_count', '_sum']) metrics.set(name + suffix, all);
    metrics.set(`${name}_bucket`, new Set([...all, 'le']));
  };
  for (const text of sources())
    for (const [declaration, kind = '', name = '', own] of text.matchAll(DECLARATION)) {
      const shared = declaration.endsWith('labelNames,') ? SHARED_LABELS.exec(text)?.[1] : undefined;
      add(
        name,
        kind,
        [...(own ?? shared ?? '').matchAll(/'(\w+)'/g)].map(([, label]) => label),
      );
    }
  for (const { name, type } of await createRegistry('check').getMetricsAsJSON()) add(name, String(type), []);
  return metrics;
}

/** The text of every file of services and gateway that declares a metric. */
function sources() {
  const folders = readdirSync(join(root, 'services')).map((name) => `services/${name}/src`);
  return [...folders, 'gateway/src'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts') && !path.endsWith('.spec.ts'))
      .map((path) => readFileSync(join(root, folder, path), 'utf8'))
      .filter((text) => text.includes("name: 'pulso_")),
  );
}

const SERIES = /\b((?:pulso|process|nodejs)_[a-z0-9_]+|[a-z]+:[a-z0-9_:]+)\b(?:\{([^}]*)\})?/g;

/**
 * What of an expression of PromQL no process has, and no rule records.
 *
 * @param {string} expression @param {Metrics} metrics @param {ReadonlySet<string>} recorded
 */
export function unknownIn(expression, metrics, recorded) {
  return [...expression.matchAll(SERIES)].flatMap(([, name = '', matchers = '']) => {
    if (recorded.has(name)) return [];
    const labels = metrics.get(name);
    if (!labels) return [`no process shows ${name}`];
    const asked = [...matchers.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label = '']) => label);
    return asked.filter((label) => !labels.has(label)).map((label) => `${name} has no label ${label}`);
  });
}
