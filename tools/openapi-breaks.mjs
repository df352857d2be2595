import { apiDiff } from 'api-smart-diff';

/**
 * What of a client written for `before` fails at `after`: one line each, sorted. Both are OpenAPI 3.1 documents. The
 * library tells requests from responses; what it does not see, or sees otherwise than we do, is decided here.
 */
export function breaksOf(before, after) {
  const changes = apiDiff(before, after)
    // Named schemas count where an operation uses them, which says in which direction they travel.
    .filter(({ path }) => path[0] === 'paths' && path[3] !== 'security')
    .filter(isBreak);
  return [...new Set([...changes.map(lineOf), ...lockedOut(before, after)])].sort();
}

function isBreak({ path, action, type, before, after }) {
  const isAnswer = path[3] === 'responses';
  const name = path.at(-1);
  const holder = path.at(-2);
  // Clients take values they do not know: each feature brings error codes.
  if (isAnswer && holder === 'enum' && action === 'add') return false;
  if (name === 'requestBody' && action === 'add') return after.required === true;
  // Bodies are closed: a field that is gone is refused as unknown.
  if (!isAnswer && holder === 'properties' && action === 'remove') return true;
  if (name !== 'type' || action !== 'replace') return type === 'breaking';
  const [known, sent] = isAnswer ? [before, after] : [after, before];
  return [sent].flat().some((one) => !takes([known].flat(), one));
}

const takes = (types, one) => types.includes(one) || (one === 'integer' && types.includes('number'));

/** Operations that no longer take a way to authenticate, or none, that they took. */
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
