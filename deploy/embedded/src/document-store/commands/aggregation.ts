import { Double, type Document } from 'bson';
import { ACCUMULATORS, isListed, STAGES } from '../rules/allow-list.js';
import { badValue, CommandError } from '../rules/command-error.js';
import {
  bsonTypeOf,
  encodeInteger,
  isDocument,
  isNumber,
  numberOf,
  RANK,
  rankOf,
} from '../values/bson-values.js';
import { ownField, parsePath } from '../values/document-path.js';
import { encodeKey } from '../values/key-encoding.js';

/** An accumulator of one group: receives the value of every document, then returns its result. */
interface Accumulator {
  add(value: unknown): void;
  result(): unknown;
}

export interface Pipeline {
  /** Passed to the query planner. */
  filter: Document;
  /** Set for the pipeline that drivers send to count documents: only the number is needed, in this field. */
  countsAll?: { field: string; id: unknown };
  /** Runs the stages after the filter. */
  run(documents: Document[]): Document[];
}

/**
 * Compiles a pipeline of stages in the order of the allow-list, each at most once.
 * @throws Location40324 for another stage or order, Location15952, InvalidPipelineOperator (168), BadValue (2)
 */
export function compilePipeline(pipeline: unknown[]): Pipeline {
  const stages: Partial<Record<(typeof STAGES)[number], unknown>> = {};
  for (const stage of pipeline) {
    const [name = '', ...others] = isDocument(stage) ? Object.keys(stage) : [];
    if (others.length > 0 || !isListed(STAGES, name)) {
      throw new CommandError(40324, `Unrecognized pipeline stage: ${[name, ...others].join(', ')}`);
    }
    if (Object.keys(stages).some((before) => STAGES.indexOf(before as typeof name) >= STAGES.indexOf(name))) {
      throw new CommandError(40324, `this server takes ${STAGES.join(', ')} in this order, not ${name} here`);
    }
    stages[name] = (stage as Document)[name];
  }
  const { $match: filter = {}, $group, $limit } = stages;
  if (!isDocument(filter)) throw badValue('the match filter must be an expression in an object');
  const limit = parseLimit($limit);
  const group = $group === undefined ? undefined : parseGroup($group);
  const grouped = group ? compileGroup(group) : (documents: Document[]): Document[] => documents;
  const countsAll = group && countOf(group);
  return { filter, ...(countsAll && { countsAll }), run: (documents) => grouped(documents).slice(0, limit) };
}

function parseLimit(argument: unknown): number {
  if (argument === undefined) return Infinity;
  const limit = isNumber(argument) ? Number(numberOf(argument)) : NaN;
  if (!Number.isInteger(limit) || limit < 1) throw badValue('invalid argument to $limit stage');
  return limit;
}

function compileGroup({ id, fields }: Group): (documents: Document[]) => Document[] {
  const idOf = compileOperand(id);
  const accumulators = fields.map(([name, operator, operand]) => ({
    name,
    create: CREATE_ACCUMULATOR[operator],
    valueOf: compileOperand(operand),
  }));
  return (documents) => {
    const groups = new Map<string, { id: unknown; running: Accumulator[] }>();
    for (const document of documents) {
      const value = idOf(document) ?? null;
      const key = encodeKey(Buffer.alloc(0), value).toString('latin1');
      let group = groups.get(key);
      if (!group) {
        groups.set(key, (group = { id: value, running: accumulators.map(({ create }) => create()) }));
      }
      for (const [at, running] of group.running.entries()) running.add(accumulators[at]!.valueOf(document));
    }
    return [...groups.values()].map((group) => ({
      _id: group.id,
      ...Object.fromEntries(accumulators.map(({ name }, at) => [name, group.running[at]!.result()])),
    }));
  };
}

interface Group {
  id: unknown;
  /** Name of the result, accumulator, operand. */
  fields: [string, (typeof ACCUMULATORS)[number], unknown][];
}

/** @throws Location15952 for an accumulator that is not listed */
function parseGroup(argument: unknown): Group {
  if (!isDocument(argument)) throw badValue("a group's fields must be specified in an object");
  if (!('_id' in argument)) throw badValue('a group specification must include an _id');
  const { _id: id, ...fields } = argument as { _id: unknown } & Record<string, unknown>;
  return {
    id,
    fields: Object.entries(fields).map(([name, accumulator]) => {
      const [operator = '', ...others] = isDocument(accumulator) ? Object.keys(accumulator) : [];
      if (parsePath(name).length > 1 || others.length > 0 || !isListed(ACCUMULATORS, operator)) {
        throw new CommandError(15952, `unknown group operator '${operator}'`);
      }
      return [name, operator, (accumulator as Document)[operator]];
    }),
  };
}

/** The sum of 1 over all documents if that is the only field, else undefined. */
function countOf({ id, fields }: Group): Pipeline['countsAll'] {
  const [field, operator, operand] = fields[0] ?? [];
  const isOne = operator === '$sum' && isNumber(operand) && Number(numberOf(operand)) === 1;
  if (fields.length !== 1 || !isOne || !(id === null || isNumber(id))) return undefined;
  return { field: field!, id };
}

/** A number, null, or the path of a top-level field. @throws InvalidPipelineOperator (168) for any other expression */
function compileOperand(operand: unknown): (document: Document) => unknown {
  if (operand === null || isNumber(operand)) return () => operand;
  const name = typeof operand === 'string' && operand.startsWith('$') ? operand.slice(1) : '';
  if (name === '' || name.startsWith('$') || parsePath(name).length > 1) {
    throw new CommandError(168, `Unrecognized expression ${JSON.stringify(operand)}`);
  }
  return (document) => ownField(document, name);
}

const CREATE_ACCUMULATOR: Readonly<Record<(typeof ACCUMULATORS)[number], () => Accumulator>> = {
  $sum: () => {
    let integers = 0n;
    let isLong = false;
    let isDouble = false;
    // The rounding error of a sum of doubles is kept in a second variable, as MongoDB does (Knuth's two-sum).
    let sum = 0;
    let lost = 0;
    const addDouble = (value: number): void => {
      const next = sum + value;
      const added = next - sum;
      if (Number.isFinite(next)) lost += sum - (next - added) + (value - added);
      sum = next;
    };
    return {
      add: (value) => {
        // Throws for Decimal128, which would have to be added.
        if (rankOf(value) !== RANK.number) return;
        const type = bsonTypeOf(value);
        isLong ||= type === 'Long';
        if (type === 'Double') {
          isDouble = true;
          addDouble(Number(value));
        } else {
          integers += BigInt(numberOf(value));
        }
      },
      result: () => {
        const exact = isDouble ? undefined : encodeInteger(integers, isLong);
        if (exact) return exact;
        addDouble(Number(integers));
        addDouble(Number(integers - BigInt(Number(integers))));
        return new Double(Number.isFinite(sum) ? sum + lost : sum);
      },
    };
  },
};
