import type { Document } from 'bson';
import { isDocument, isNumber, numberOf } from './bson-values.js';
import { CommandError } from './command-error.js';
import { ownField } from './document-path.js';

export interface Projection {
  apply(document: Document): Document;
  /** Set when whole top-level fields are all that is wanted: they can be copied as they are stored. */
  topLevelFields?: ReadonlySet<string>;
}

interface Tree {
  [name: string]: Tree | true;
}

/**
 * Compiles `{ a: 1, 'b.c': 1 }` or `{ a: 0 }`; undefined when everything is wanted.
 * @throws Location31254 for a mix of inclusion and exclusion, Location31250 for overlapping paths, BadValue for others
 */
export function compileProjection(projection: unknown): Projection | undefined {
  if (projection === undefined) return undefined;
  if (!isDocument(projection)) throw new CommandError(14, "Expected field 'projection' to be of type object");
  const entries = Object.entries(projection).map(([path, wanted]) => [path, isWanted(path, wanted)] as const);
  if (entries.length === 0) return undefined;
  const others = entries.filter(([path]) => path !== '_id');
  const id = entries.find(([path]) => path === '_id')?.[1];
  const including = others[0] ? others[0][1] : id === true;
  const tree: Tree = {};
  for (const [path, wanted] of others) {
    if (wanted !== including) {
      throw new CommandError(31254, `Cannot do ${wanted ? 'inclusion' : 'exclusion'} on field ${path}`);
    }
    addPath(tree, path);
  }
  if (including) {
    if (id !== false) tree['_id'] = true;
    const isFlat = Object.values(tree).every((branch) => branch === true);
    return {
      apply: (document) => include(document, tree),
      ...(isFlat && { topLevelFields: new Set(Object.keys(tree)) }),
    };
  }
  if (id === false) tree['_id'] = true;
  return { apply: (document) => exclude(document, tree) };
}

function isWanted(path: string, wanted: unknown): boolean {
  if (
    path === '' ||
    path.split('.').some((part) => part === '' || part.startsWith('$') || part === '__proto__')
  ) {
    throw new CommandError(2, `projection of '${path}' is not supported by this server`);
  }
  if (typeof wanted === 'boolean') return wanted;
  if (isNumber(wanted)) return Number(numberOf(wanted)) !== 0;
  throw new CommandError(2, `the projection of '${path}' must be 0 or 1, expressions are not supported`);
}

function addPath(tree: Tree, path: string): void {
  const parts = path.split('.');
  let level = tree;
  for (const [at, part] of parts.entries()) {
    const existing = Object.hasOwn(level, part) ? level[part] : undefined;
    const last = at === parts.length - 1;
    if (existing === true || (last && existing)) throw new CommandError(31250, `Path collision at ${path}`);
    if (last) level[part] = true;
    else level = existing ?? (level[part] = {});
  }
}

function include(document: Document, tree: Tree): Document {
  const result: Document = {};
  for (const [name, value] of Object.entries(document)) {
    const branch = ownField(tree, name) as Tree | true | undefined;
    if (branch === true) result[name] = value;
    else if (branch) {
      const projected = includeBelow(value, branch);
      if (projected !== undefined) result[name] = projected;
    }
  }
  return result;
}

function includeBelow(value: unknown, tree: Tree): unknown {
  if (Array.isArray(value)) {
    return value.map((item: unknown) => includeBelow(item, tree)).filter((item) => item !== undefined);
  }
  return isDocument(value) ? include(value, tree) : undefined;
}

function exclude(document: Document, tree: Tree): Document {
  const result: Document = {};
  for (const [name, value] of Object.entries(document)) {
    const branch = ownField(tree, name) as Tree | true | undefined;
    if (branch !== true) result[name] = branch ? excludeBelow(value, branch) : value;
  }
  return result;
}

function excludeBelow(value: unknown, tree: Tree): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => excludeBelow(item, tree));
  return isDocument(value) ? exclude(value, tree) : value;
}
