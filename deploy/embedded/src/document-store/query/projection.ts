import type { Document } from 'bson';
import { badValue, CommandError } from '../rules/command-error.js';
import { isNumber, truthy } from '../values/bson-values.js';
import { parsePath } from '../values/document-path.js';
import { pickFields } from '../values/raw-fields.js';

export interface Projection {
  /** Reduces an encoded document to the requested fields. */
  pick(raw: Buffer): Buffer;
  /** The names of the only fields that are requested; undefined where some are left out. */
  only: ReadonlySet<string> | undefined;
}

/**
 * Compiles `{ a: 1, b: 1 }` or `{ a: 0 }` over top-level fields; undefined when all fields are requested.
 * @throws Location31254 for a mix of inclusion and exclusion, BadValue (2) for nested fields and expressions
 */
export function compileProjection(projection: Document = {}): Projection | undefined {
  const entries = Object.entries(projection).map(([name, wanted]) => [name, isWanted(name, wanted)] as const);
  if (entries.length === 0) return undefined;
  const others = entries.filter(([name]) => name !== '_id');
  const id = entries.find(([name]) => name === '_id')?.[1];
  const including = others[0]?.[1] ?? id === true;
  for (const [name, wanted] of others) {
    if (wanted !== including) {
      throw new CommandError(31254, `Cannot do ${wanted ? 'inclusion' : 'exclusion'} on field ${name}`);
    }
  }
  const names = new Set(others.map(([name]) => name));
  if (including ? id !== false : id === false) names.add('_id');
  return { pick: (raw) => pickFields(raw, names, !including), only: including ? names : undefined };
}

function isWanted(name: string, wanted: unknown): boolean {
  if (parsePath(name).length > 1) throw badValue(`projection of '${name}' is not supported by this server`);
  if (typeof wanted === 'boolean' || isNumber(wanted)) return truthy(wanted);
  throw badValue(`the projection of '${name}' must be 0 or 1, expressions are not supported`);
}
