import { callsOf } from './calls.mjs';
import { allowedConnections, endpointsOf } from './policies.mjs';

/** @typedef {import('./objects.mjs').Rendering} Rendering */

/**
 * The network policies allow exactly what the code calls, and deploy/kubernetes/README.md tells exactly that. In production, where
 * engines are outside and have no pods, the policies between pods are the same.
 *
 * @param {{ complete: readonly Rendering[], code: import('./processes.mjs').Processes,
 *   outside: Record<string, import('./processes.mjs').Outside>, told: readonly string[] }} facts `outside`: by overlay; `told`: the
 * connections that the README names
 */
export function connections({ complete, code, outside, told }) {
  const faults = [];
  const figures = [];
  for (const { overlay, folder, objects } of complete) {
    const here = new Set(endpointsOf(objects).map(({ name }) => name));
    const { lines: allowed, withoutDns } = allowedConnections(objects);
    const between = (line) => here.has(toOf(line));
    const called = callsOf(objects, { code, outside: outside[overlay] });
    // The addresses of engines that are outside are those of whoever deploys.
    const isWhole = overlay === 'kind';
    const wanted = isWhole ? called : called.filter(between);
    for (const line of without(wanted, allowed))
      faults.push(
        `${folder}: no policy allows ${line}, where a setting leads: add it to the policies of both ends`,
      );
    for (const line of without(allowed, called))
      faults.push(
        `${folder}: the policies allow ${line}, which no setting needs: take it out of the policies`,
      );
    for (const name of withoutDns)
      faults.push(`${folder}: ${name} may not ask for names: the policy dns has to select it`);
    if (isWhole) {
      for (const line of without(called, told))
        faults.push(`deploy/kubernetes/README.md: "Who may reach whom" lacks ${line}: add it`);
      for (const line of without(told, called))
        faults.push(
          `deploy/kubernetes/README.md: "Who may reach whom" has ${line}, which nothing calls: take it away`,
        );
    }
    figures.push(`${allowed.length} connections of ${here.size} pods in ${overlay}`);
  }
  return { faults, figures: figures.join(', ') };
}

const toOf = (line) => line.replace(/^.* → (.*):\d+$/, '$1');

const without = (lines, others) => {
  const known = new Set(others);
  return lines.filter((line) => !known.has(line));
};
