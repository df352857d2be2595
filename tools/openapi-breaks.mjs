import { isDeepStrictEqual } from 'node:util';
import { apiDiff } from 'api-smart-diff';

/**
 * The changes between two OpenAPI 3.1 documents that break a client written for `before` at `after`: one line each,
 * sorted. The library distinguishes requests and responses; this function decides the cases that the library does not
 * detect, or classifies differently.
 */
export function breaksOf(before, after) {
  const changes = apiDiff(...changedParts(withoutExamples(before), withoutExamples(after)))
    // Named schemas are compared where an operation uses them, because that shows whether they are sent or received.
    .filter(({ path }) => path[0] === 'paths' && path[3] !== 'security')
    .filter(isBreak);
  return [...new Set([...changes.map(lineOf), ...lockedOut(before, after)])].sort();
}

/** An example breaks nobody, but the library takes a schema with a new one for another schema. */
function withoutExamples(document) {
  return JSON.parse(JSON.stringify(document, (name, value) => (name === 'examples' ? undefined : value)));
}

/** What can differ on its own: a path, its methods, their parts, and of these the answers by status. */
const LEVELS = 4;

/**
 * The two documents with only the paths, methods, parts and answers that differ, and the components that those use: the
 * library takes seconds to compare all of them.
 */
function changedParts(before, after) {
  const changedIn = (one, other, level) => {
    const [changed, otherChanged] = [{}, {}];
    for (const name of new Set([...Object.keys(one), ...Object.keys(other)])) {
      if (isSame(one[name], before, other[name], after)) continue;
      const divides = level < LEVELS && [one[name], other[name]].every(isObject);
      const pair = divides ? changedIn(one[name], other[name], level + 1) : [one[name], other[name]];
      if (name in one) changed[name] = pair[0];
      if (name in other) otherChanged[name] = pair[1];
    }
    return [changed, otherChanged];
  };
  const [paths, otherPaths] = changedIn(before.paths, after.paths, 1);
  return [withUsed(paths, before), withUsed(otherPaths, after)];
}

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether two parts, and the components that they use, are the same. */
const isSame = (part, document, other, otherDocument) =>
  isDeepStrictEqual([part, usedBy(part, document)], [other, usedBy(other, otherDocument)]);

/** The components that a part uses, also by way of others, by their references. */
function usedBy(part, document, used = {}) {
  JSON.stringify(part, (name, value) => {
    if (name === '$ref' && !(value in used)) {
      const [, , kind, component] = value.split('/');
      used[value] = document.components[kind][component];
      usedBy(used[value], document, used);
    }
    return value;
  });
  return used;
}

function withUsed(paths, document) {
  const components = {};
  for (const [reference, component] of Object.entries(usedBy(paths, document))) {
    const [, , kind, name] = reference.split('/');
    components[kind] = { ...components[kind], [name]: component };
  }
  return { ...document, paths, components };
}

function isBreak({ path, action, type, before, after }) {
  const isAnswer = path[3] === 'responses';
  const name = path.at(-1);
  const holder = path.at(-2);
  // Clients accept unknown values, because each feature adds error codes.
  if (isAnswer && holder === 'enum' && action === 'add') return false;
  if (name === 'requestBody' && action === 'add') return after.required === true;
  // Request bodies are closed: a field that was removed is refused as unknown.
  if (!isAnswer && holder === 'properties' && action === 'remove') return true;
  if (name !== 'type' || action !== 'replace') return type === 'breaking';
  const [known, sent] = isAnswer ? [before, after] : [after, before];
  return [sent].flat().some((one) => !takes([known].flat(), one));
}

const takes = (types, one) => types.includes(one) || (one === 'integer' && types.includes('number'));

/** Operations that no longer accept a way to authenticate, or no authentication, which they accepted before. */
function lockedOut(before, after) {
  return Object.entries(before.paths).flatMap(([route, methods]) =>
    Object.entries(methods).flatMap(([method, { security = [{}] }]) => {
      const now = after.paths[route]?.[method]?.security ?? [{}];
      const isTaken = (given) => now.some((needed) => Object.keys(needed).every((name) => name in given));
      return security.every(isTaken) ? [] : [`${method.toUpperCase()} ${route} security: narrowed`];
    }),
  );
}

function lineOf({ path: [, route, method, ...rest], action, before, after }) {
  const where = [method?.toUpperCase(), route, rest.join('.')].filter(Boolean).join(' ');
  const change = { add: 'added', remove: 'removed', replace: `${show(before)} → ${show(after)}` }[action];
  return `${where}: ${change ?? action}`;
}

const show = (value) => (typeof value === 'object' ? JSON.stringify(value).slice(0, 80) : String(value));
