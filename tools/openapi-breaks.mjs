import { apiDiff } from 'api-smart-diff';

/**
 * The changes between two OpenAPI 3.1 documents that break a client written for `before` at `after`: one line each,
 * sorted. The library distinguishes requests and responses; this function decides the cases that the library does not
 * detect, or classifies differently.
 */
export function breaksOf(before, after) {
  const changes = apiDiff(before, after)
    // Named schemas are compared where an operation uses them, because that shows whether they are sent or received.
    .filter(({ path }) => path[0] === 'paths' && path[3] !== 'security')
    .filter(isBreak);
  return [...new Set([...changes.map(lineOf), ...lockedOut(before, after)])].sort();
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
