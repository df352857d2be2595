import { containersOf, placeOf, podsOf } from './objects.mjs';
import { environmentOf, processOf, programOf } from './processes.mjs';

/** @typedef {import('./objects.mjs').Rendering} Rendering */

/**
 * Every variable that a container of Pulso gets is one that its process knows, and with what it gets each process would start: its own
 * loader reads it. The values of Secrets are those that kind's script makes; production's have the names that the README lists.
 *
 * @param {{ complete: readonly Rendering[], code: import('./processes.mjs').Processes,
 *   outside: Record<string, import('./processes.mjs').Outside>, ofNode: ReadonlySet<string> }} facts `outside`: by overlay; `ofNode`: the
 * variables of Node itself that docs/operations/settings.md names
 */
export function settings({ complete, code, outside, ofNode }) {
  const faults = [];
  let containers = 0;
  let variables = 0;
  for (const rendering of complete)
    for (const pod of podsOf(rendering.objects)) {
      const known = new Set([...ofNode, ...knownIn(pod, code)]);
      for (const container of containersOf(pod)) {
        const process = processOf(container);
        if (process === undefined) continue;
        const place = `${placeOf(rendering, pod.object)}: container ${container.name}`;
        const program = programOf(container, code);
        if (!program) {
          faults.push(
            `${place} runs ${container.image}, and nobody knows what it reads: add it to services/registry/src/setting-names.ts`,
          );
          continue;
        }
        containers++;
        const { env, missing } = environmentOf(container, {
          objects: rendering.objects,
          outside: outside[rendering.overlay],
        });
        variables += Object.keys(env).length + missing.length;
        for (const name of [...Object.keys(env), ...missing].filter((one) => !known.has(one)))
          faults.push(
            `${place} has ${name}, which ${process} does not read: correct its name, or take it away`,
          );
        const fault = startFault(program.reads, env);
        if (fault) faults.push(`${place}: ${program.name} would not start: ${fault}`);
      }
    }
  return { faults, figures: `${variables} variables of ${containers} containers` };
}

/** A pod's containers share a ConfigMap and a Secret, which are those of the process that the pod is called after. */
const knownIn = (pod, code) =>
  [
    code.processes[pod.labels['app.kubernetes.io/name']],
    ...containersOf(pod).map((container) => programOf(container, code)?.reads),
  ].flatMap((reads) => Object.keys(reads?.shape ?? {}));

function startFault({ read }, env) {
  try {
    read(env);
    return undefined;
  } catch (error) {
    return error.message;
  }
}
