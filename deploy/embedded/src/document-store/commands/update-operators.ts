import { Double, type Document } from 'bson';
import { isListed, UPDATE_OPERATORS } from '../rules/allow-list.js';
import { badValue, CommandError, failedToParse, typeMismatch } from '../rules/command-error.js';
import { bsonTypeOf, encodeInteger, isDocument, isNumber, numberOf } from '../values/bson-values.js';
import { compareStrings, valuesEqual } from '../values/compare.js';
import { ownField, parsePath } from '../values/document-path.js';

export interface DocumentChange {
  /** Changes a decoded document in place; `inserting` is true when an upsert creates it. */
  (document: Document, inserting: boolean): void;
  /** The names of the top-level fields that it may change in a document that exists. */
  readonly touches: ReadonlySet<string>;
}

type FieldChange = (current: unknown) => unknown;

interface Change {
  path: string;
  parts: string[];
  onlyInsert: boolean;
  change: FieldChange;
}

/** Returned by a FieldChange to keep a field as it is, missing or not. */
const UNCHANGED = Symbol('unchanged');
const REMOVED = Symbol('removed');

/**
 * Compiles `{ $set: …, $inc: … }`. `now` is the server's time of this update.
 * @throws FailedToParse (9) for an unknown operator, a replacement or a pipeline, ConflictingUpdateOperators (40), BadValue
 */
export function compileUpdate(update: unknown, now: Date): DocumentChange {
  if (!isDocument(update) || Object.keys(update).length === 0) {
    throw failedToParse('Update argument must be an object of operators');
  }
  const changes: Change[] = [];
  for (const [operator, fields] of Object.entries(update)) {
    if (!isListed(UPDATE_OPERATORS, operator)) throw failedToParse(`Unknown modifier: ${operator}`);
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
      const change = OPERATORS[operator](argument, path, now);
      changes.push({ path, parts, onlyInsert: operator === '$setOnInsert', change });
    }
  }
  // New fields are added in the order of their names, independent of the order of the operators.
  changes.sort((a, b) => compareStrings(a.parts.join('\0'), b.parts.join('\0')));
  const apply = (document: Document, inserting: boolean) => {
    for (const { path, parts, onlyInsert, change } of changes) {
      if (!onlyInsert || inserting) changeAt(document, parts, 0, path, change);
    }
  };
  const touches = new Set(changes.flatMap(({ parts, onlyInsert }) => (onlyInsert ? [] : [parts[0]!])));
  return Object.assign(apply, { touches });
}

function overlaps(a: string[], b: string[]): boolean {
  const shared = Math.min(a.length, b.length);
  return a.slice(0, shared).every((part, at) => part === b[at]);
}

function changeAt(
  container: unknown,
  parts: string[],
  depth: number,
  path: string,
  change: FieldChange,
): void {
  const part = parts[depth]!;
  // $unset of a field below a scalar or an array changes nothing; any other operator is an error.
  if (!isDocument(container)) {
    if (change(undefined) === UNCHANGED) return;
    throw new CommandError(28, `Cannot create field '${part}' in the element at '${path}'`);
  }
  const current = ownField(container, part);
  if (depth < parts.length - 1) {
    const inner: unknown = current === undefined ? {} : current;
    changeAt(inner, parts, depth + 1, path, change);
    if (current === undefined && Object.keys(inner as Document).length > 0) container[part] = inner;
    return;
  }
  const next = change(current);
  if (next === REMOVED) delete container[part];
  else if (next !== UNCHANGED) container[part] = next;
}

const OPERATORS: Readonly<
  Record<(typeof UPDATE_OPERATORS)[number], (argument: unknown, path: string, now: Date) => FieldChange>
> = {
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
  $currentDate: (argument, path, now) => {
    if (typeof argument !== 'boolean')
      throw badValue(`$currentDate of '${path}' needs a boolean on this server`);
    return () => now;
  },
  $addToSet: (value, path) => {
    if (isDocument(value) && Object.keys(value)[0]?.startsWith('$'))
      throw badValue(`$addToSet of '${path}' takes one plain value on this server`);
    return (current = []) => {
      if (!Array.isArray(current)) throw badValue(`Cannot apply $addToSet to a non-array value at '${path}'`);
      const set = current as unknown[];
      return set.some((item) => valuesEqual(item, value)) ? UNCHANGED : [...set, value];
    };
  },
};

/** The sum in the wider type of the two; a 32-bit sum grows to 64 bits, a 64-bit one must fit. */
function add(current: unknown, amount: unknown): unknown {
  const types = [bsonTypeOf(current), bsonTypeOf(amount)];
  if (types.includes('Double')) return new Double(Number(numberOf(current)) + Number(numberOf(amount)));
  const sum = encodeInteger(BigInt(numberOf(current)) + BigInt(numberOf(amount)), types.includes('Long'));
  if (!sum) throw badValue('Failed to apply $inc: 64-bit overflow');
  return sum;
}
