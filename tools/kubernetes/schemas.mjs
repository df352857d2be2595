import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { placeOf } from './objects.mjs';
import { KUBERNETES, pythonWithSchemas } from './tools.mjs';

/**
 * @typedef {import('./objects.mjs').Rendering} Rendering
 * @typedef {{ version: string, objects: object[], documents: { schema: object, document: object }[] }} ToValidate
 * @typedef {{ objects: string[][], documents: string[][] }} Validated faults of each, in the order of what was given
 */

const LIMIT_MS = 120_000;
const OUTPUT_BYTES = 64 * 1024 * 1024;

/**
 * By Kubernetes' own schemas, strictly: an unknown field is a fault. Rejects with MissingTool.
 *
 * @param {ToValidate} given @returns {Promise<Validated>}
 */
export async function validate(given) {
  const python = pythonWithSchemas();
  const program = join(import.meta.dirname, 'validate.py');
  return new Promise((resolve, reject) => {
    const options = { timeout: LIMIT_MS, maxBuffer: OUTPUT_BYTES };
    const child = execFile(python, [program], options, (error, stdout, stderr) => {
      if (error) reject(new Error(`validate.py failed: ${stderr.trim() || error.message}`));
      else resolve(JSON.parse(stdout));
    });
    child.stdin.end(JSON.stringify(given));
  });
}

/**
 * Every object of every overlay is one of Kubernetes, and every module of skaffold.yaml one of Skaffold.
 *
 * @param {{ renderings: readonly Rendering[], skaffold: readonly object[], skaffoldSchema: object, unrendered?: readonly string[] }} facts
 * `unrendered`: the faults of rendering
 * @param {(given: ToValidate) => Promise<Validated>} [validator]
 */
export async function schemas(
  { renderings, skaffold, skaffoldSchema, unrendered = [] },
  validator = validate,
) {
  // A module's objects are those of its overlay: each is validated once.
  const unique = new Map();
  for (const rendering of renderings)
    for (const object of rendering.objects) {
      const text = JSON.stringify(object);
      if (!unique.has(text)) unique.set(text, { object, place: placeOf(rendering, object) });
    }
  const all = [...unique.values()];
  const found = await validator({
    version: KUBERNETES,
    objects: all.map(({ object }) => object),
    documents: skaffold.map((document) => ({ schema: skaffoldSchema, document })),
  });
  return {
    faults: [
      ...unrendered,
      ...found.objects.flatMap((faults, index) =>
        faults.map((fault) => `${all[index].place} is not an object of Kubernetes ${KUBERNETES}: ${fault}`),
      ),
      ...found.documents.flatMap((faults, index) =>
        faults.map((fault) => `skaffold.yaml: module ${skaffold[index].metadata?.name ?? index}: ${fault}`),
      ),
    ],
    figures: `${all.length} objects of ${renderings.length} overlays and modules, ${skaffold.length} modules of Skaffold`,
  };
}
