import { Double, Int32, Long, Timestamp, type Document } from 'bson';
import { bsonTypeOf, compareValues, isDocument, isNumber, numberOf, valuesEqual } from './bson-values.js';
import { badValue, CommandError, failedToParse, typeMismatch } from './command-error.js';
import { isArrayPosition, ownField } from './document-path.js';
import { compileFilter } from './filter-matcher.js';
import { parseFilter } from './filter-parser.js';

/** Changes a decoded document in place; `inserting` is true when an upsert makes a new one. */
export type DocumentChange = (document: Document, inserting: boolean) => void;

type FieldChange = (current: unknown) => unknown;

/** What a FieldChange answers to leave a field as it is, missing or not. */
const UNCHANGED = Symbol('unchanged');
const REMOVED = Symbol('removed');

/**
 * Compiles `{ $set: …, $inc: … }`. `now` is the server's time of this update.
 * @throws FailedToParse (9) for an unknown operator, ConflictingUpdateOperators (40), BadValue (2)
 */
export function compileUpdate(update: Document, now: Date): DocumentChange {
  const changes: { path: string; parts: string[]; onlyInsert: boolean; change: FieldChange }[] = [];
  for (const [operator, fields] of Object.entries(update)) {
    if (!operator.startsWith('$')) {
      throw failedToParse(
        `Unknown modifier: ${operator}. Expected a valid update modifier or pipeline-style update`,
      );
    }
    const compile = Object.hasOwn(OPERATORS, operator) ? OPERATORS[operator] : undefined;
    if (!compile) throw failedToParse(`Unknown modifier: ${operator}`);
    if (!isDocument(fields)) {
      throw failedToParse(`Modifiers operate on fields but we found another type for ${operator}`);
    }
    for (const [path, argument] of Object.entries(fields)) {
      const parts = parsePath(path);
      const conflict = changes.find((other) => overlaps(other.parts, parts));
      if (conflict) {
        throw new CommandError(
          40,
          `Updating the path '${path}' would create a conflict at '${conflict.path}'`,
        );
      }
      const change = compile(argument, path, now);
      changes.push({ path, parts, onlyInsert: operator === '$setOnInsert', change });
    }
  }
  return (document, inserting) => {
    for (const { path, parts, onlyInsert, change } of changes) {
      if (!onlyInsert || inserting) changeAt(document, parts, 0, path, change);
    }
  };
}

function parsePath(path: string): string[] {
  const parts = path.split('.');
  for (const part of parts) {
    if (part === '') throw new CommandError(56, `The update path '${path}' contains an empty field name`);
    if (part.startsWith('$'))
      throw badValue(`The positional operator in '${path}' is not supported by this server`);
    if (part === '__proto__') throw badValue(`'${path}' is not a field this server updates`);
  }
  return parts;
}

function overlaps(a: string[], b: string[]): boolean {
  const shared = Math.min(a.length, b.length);
  return a.slice(0, shared).every((part, at) => part === b[at]);
}

function changeAt(
  container: Document | unknown[],
  parts: string[],
  depth: number,
  path: string,
  change: FieldChange,
): void {
  const part = parts[depth]!;
  const last = depth === parts.length - 1;
  if (Array.isArray(container)) {
    if (!isArrayPosition(part)) throw notViable(path, part);
    const at = Number(part);
    if (at > container.length + 1_500_000) throw badValue(`array position ${at} is too far`);
    const current: unknown = container[at];
    const next = last ? change(current) : descend(current, parts, depth, path, change);
    if (next === UNCHANGED) return;
    while (container.length < at) container.push(null);
    container[at] = next === REMOVED ? null : next;
    return;
  }
  const current = ownField(container, part);
  const next = last ? change(current) : descend(current, parts, depth, path, change);
  if (next === UNCHANGED) return;
  if (next === REMOVED) delete container[part];
  else container[part] = next;
}

function descend(
  current: unknown,
  parts: string[],
  depth: number,
  path: string,
  change: FieldChange,
): unknown {
  if (isDocument(current) || Array.isArray(current)) {
    changeAt(current, parts, depth + 1, path, change);
    return UNCHANGED;
  }
  if (current !== undefined) {
    // $unset of a field below a scalar changes nothing; anything else cannot be done.
    if (change(undefined) === UNCHANGED) return UNCHANGED;
    throw notViable(path, parts[depth + 1]!);
  }
  const created: Document = {};
  changeAt(created, parts, depth + 1, path, change);
  return Object.keys(created).length > 0 ? created : UNCHANGED;
}

function notViable(path: string, part: string): CommandError {
  return new CommandError(28, `Cannot create field '${part}' in the element at '${path}'`);
}

const OPERATORS: Record<string, (argument: unknown, path: string, now: Date) => FieldChange> = {
  $set: (value) => () => value,
  $setOnInsert: (value) => () => value,
  $unset: () => (current) => (current === undefined ? UNCHANGED : REMOVED),
  $inc: (amount, path) => {
    if (!isNumber(amount)) throw typeMismatch(`Cannot increment with non-numeric argument: {${path}}`);
    return (current) => {
      if (current === undefined) return amount;
      if (!isNumber(current))
        throw typeMismatch(`Cannot apply $inc to a value of non-numeric type at '${path}'`);
      return add(current, amount);
    };
  },
  $min: (value) => (current) =>
    current === undefined || compareValues(value, current) < 0 ? value : UNCHANGED,
  $max: (value) => (current) =>
    current === undefined || compareValues(value, current) > 0 ? value : UNCHANGED,
  $currentDate: (argument, path, now) => {
    const type = isDocument(argument) ? ownField(argument, '$type') : argument === true ? 'date' : undefined;
    if (type === 'date') return () => now;
    if (type === 'timestamp') {
      return () => new Timestamp({ t: Math.floor(now.getTime() / 1000), i: 1 });
    }
    throw badValue(`$currentDate of '${path}' needs true or {$type: 'date' | 'timestamp'}`);
  },
  $push: (argument, path) => {
    const { values, slice } = listArgument(argument, '$push', ['$each', '$slice']);
    return (current) => {
      const pushed = [...arrayAt(current, path, '$push'), ...values];
      if (slice === undefined) return pushed;
      return slice < 0 ? pushed.slice(slice) : pushed.slice(0, slice);
    };
  },
  $addToSet: (argument, path) => {
    const { values } = listArgument(argument, '$addToSet', ['$each']);
    return (current) => {
      const set = [...arrayAt(current, path, '$addToSet')];
      const before = set.length;
      for (const value of values) if (!set.some((item) => valuesEqual(item, value))) set.push(value);
      return set.length === before && current !== undefined ? UNCHANGED : set;
    };
  },
  $pull: (argument, path) => {
    const drops = pullTest(argument);
    return (current) => {
      if (current === undefined) return UNCHANGED;
      const kept = arrayAt(current, path, '$pull').filter((item) => !drops(item));
      return kept.length === (current as unknown[]).length ? UNCHANGED : kept;
    };
  },
};

function arrayAt(current: unknown, path: string, operator: string): unknown[] {
  if (current === undefined) return [];
  if (!Array.isArray(current)) throw badValue(`Cannot apply ${operator} to a non-array value at '${path}'`);
  return current as unknown[];
}

function listArgument(
  argument: unknown,
  operator: string,
  allowed: string[],
): { values: unknown[]; slice?: number } {
  if (!isDocument(argument) || !Object.keys(argument).some((name) => name.startsWith('$'))) {
    return { values: [argument] };
  }
  for (const name of Object.keys(argument)) {
    if (!allowed.includes(name)) throw badValue(`Unrecognized clause in ${operator}: ${name}`);
  }
  const each: unknown = argument['$each'];
  if (!Array.isArray(each)) throw typeMismatch(`The argument to $each in ${operator} must be an array`);
  const slice: unknown = argument['$slice'];
  if (slice === undefined) return { values: each as unknown[] };
  const limit = isNumber(slice) ? Number(numberOf(slice)) : NaN;
  if (!Number.isInteger(limit)) throw badValue('The value for $slice must be an integer value');
  return { values: each as unknown[], slice: limit };
}

/** `$pull` takes a value, a condition on values (`{$gte: 5}`), or a filter on the documents of the array. */
function pullTest(argument: unknown): (item: unknown) => boolean {
  if (!isDocument(argument)) return (item) => valuesEqual(item, argument);
  if (Object.keys(argument)[0]?.startsWith('$')) {
    const predicate = compileFilter(parseFilter({ item: argument }));
    return (item) => predicate({ item });
  }
  const predicate = compileFilter(parseFilter(argument));
  return (item) => isDocument(item) && predicate(item);
}

const INT32_LIMIT = 2n ** 31n;
const INT64_LIMIT = 2n ** 63n;

/** The sum in the wider type of the two; a 32-bit sum grows to 64 bits, a 64-bit one must fit. */
function add(current: unknown, amount: unknown): unknown {
  const types = [bsonTypeOf(current), bsonTypeOf(amount)];
  if (types.some((type) => type === 'Double' || type === undefined)) {
    return new Double(Number(numberOf(current)) + Number(numberOf(amount)));
  }
  const sum = BigInt(numberOf(current)) + BigInt(numberOf(amount));
  if (!types.includes('Long') && sum >= -INT32_LIMIT && sum < INT32_LIMIT) return new Int32(Number(sum));
  if (sum < -INT64_LIMIT || sum >= INT64_LIMIT) throw badValue('Failed to apply $inc: 64-bit overflow');
  return Long.fromBigInt(sum);
}
