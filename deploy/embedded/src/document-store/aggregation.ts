import { Double, Int32, type Document } from 'bson';
import { compareValues, isDocument, isNumber, numberOf, valuesEqual } from './bson-values.js';
import { CommandError } from './command-error.js';
import { compileExpression, type Expression } from './expressions.js';
import { encodeKey } from './key-encoding.js';

/** One accumulator of one group: fed every document's value, then asked for its result. */
interface Accumulator {
  add(value: unknown): void;
  result(): unknown;
}

const ACCUMULATORS: Record<string, () => Accumulator> = {
  $sum: () => {
    let sum = 0;
    let isDouble = false;
    return {
      add: (value) => {
        if (!isNumber(value)) return;
        isDouble ||= typeof value === 'number' || (value as { _bsontype?: string })._bsontype === 'Double';
        sum += Number(numberOf(value));
      },
      result: () => (isDouble || Math.abs(sum) >= 2 ** 31 ? new Double(sum) : new Int32(sum)),
    };
  },
  $avg: () => {
    let sum = 0;
    let count = 0;
    return {
      add: (value) => {
        if (!isNumber(value)) return;
        sum += Number(numberOf(value));
        count++;
      },
      result: () => (count === 0 ? null : new Double(sum / count)),
    };
  },
  $min: () => extreme(-1),
  $max: () => extreme(1),
  $first: () => {
    let first: unknown;
    let fed = false;
    return {
      add: (value) => {
        if (!fed) first = value;
        fed = true;
      },
      result: () => first ?? null,
    };
  },
  $last: () => {
    let last: unknown;
    return { add: (value) => void (last = value), result: () => last ?? null };
  },
  $push: () => {
    const values: unknown[] = [];
    return { add: (value) => void (value !== undefined && values.push(value)), result: () => values };
  },
  $addToSet: () => {
    const values: unknown[] = [];
    return {
      add: (value) => {
        if (value !== undefined && !values.some((other) => valuesEqual(other, value))) values.push(value);
      },
      result: () => values,
    };
  },
};

function extreme(sign: 1 | -1): Accumulator {
  let best: unknown;
  return {
    add: (value) => {
      if (value === undefined || value === null) return;
      if (best === undefined || compareValues(value, best) * sign > 0) best = value;
    },
    result: () => best ?? null,
  };
}

export type Stage = (documents: Document[]) => Document[];

/** Compiles `$group`. @throws Location15952 for an accumulator outside the allow-list */
export function compileGroup(specification: unknown, now: Date): Stage {
  if (!isDocument(specification))
    throw new CommandError(2, "a group's fields must be specified in an object");
  if (!('_id' in specification)) throw new CommandError(2, 'a group specification must include an _id');
  const { _id: idExpression, ...fields } = specification;
  const id = compileGroupId(idExpression, now);
  const accumulators = Object.entries(fields).map(([name, accumulator]: [string, unknown]) => {
    const entries = isDocument(accumulator) ? (Object.entries(accumulator) as [string, unknown][]) : [];
    const [operator, argument] = entries[0] ?? ['', undefined];
    if (entries.length !== 1 || !Object.hasOwn(ACCUMULATORS, operator)) {
      throw new CommandError(15952, `unknown group operator '${operator}'`);
    }
    return { name, create: ACCUMULATORS[operator]!, value: compileExpression(argument, now) };
  });
  return (documents) => {
    const groups = new Map<string, { id: unknown; running: Accumulator[] }>();
    for (const document of documents) {
      const value = id(document) ?? null;
      const key = encodeKey(Buffer.alloc(0), value).toString('latin1');
      let group = groups.get(key);
      if (!group)
        groups.set(key, (group = { id: value, running: accumulators.map(({ create }) => create()) }));
      for (const [at, running] of group.running.entries()) running.add(accumulators[at]!.value(document));
    }
    return [...groups.values()].map((group) => ({
      _id: group.id,
      ...Object.fromEntries(accumulators.map(({ name }, at) => [name, group.running[at]!.result()])),
    }));
  };
}

/** A group's id may be a document of expressions. */
function compileGroupId(expression: unknown, now: Date): Expression {
  if (!isDocument(expression) || Object.keys(expression).some((name) => name.startsWith('$'))) {
    return compileExpression(expression, now);
  }
  const fields = Object.entries(expression).map(([name, value]): [string, Expression] => [
    name,
    compileGroupId(value, now),
  ]);
  return (document) =>
    Object.fromEntries(
      fields.map(([name, value]) => [name, value(document)]).filter(([, value]) => value !== undefined),
    ) as Document;
}
