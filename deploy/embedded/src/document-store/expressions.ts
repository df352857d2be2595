import type { Document } from 'bson';
import { Context, evalExpr } from 'mingo/core';
import {
  $add,
  $and,
  $arrayElemAt,
  $concat,
  $cond,
  $divide,
  $ifNull,
  $literal,
  $multiply,
  $not,
  $or,
  $size,
  $subtract,
} from 'mingo/operators/expression';
import { compareValues, decodePlain, encodeDocument, isDocument, valuesEqual } from './bson-values.js';
import { CommandError } from './command-error.js';
import { ownField } from './document-path.js';

type Options = Parameters<typeof $literal>[2];
type Registered = NonNullable<NonNullable<Parameters<typeof Context.init>[0]>['expression']>;
/** mingo types each operator by the operands it wants; what they are is checked by the operator itself. */
type Operator = (document: Document, operands: never, options: Options) => unknown;

/** mingo compares by its own order and binary values by their text: comparisons are replaced by BSON's. */
function comparison(holds: (order: number) => boolean): Operator {
  return (document, operands, options) => {
    const [left, right] = operandsOf(document, operands, options);
    return holds(compareValues(left, right));
  };
}

function extreme(sign: 1 | -1): Operator {
  return (document, operands, options) =>
    operandsOf(document, operands, options)
      .filter((value) => value !== undefined && value !== null)
      .reduce(
        (best: unknown, value) =>
          best === undefined || compareValues(value, best) * sign > 0 ? value : best,
        undefined,
      ) ?? null;
}

function operandsOf(document: unknown, operands: unknown, options: Options): unknown[] {
  const list: unknown = evaluate(document, operands, options);
  return Array.isArray(list) ? (list as unknown[]) : [list];
}

const evaluate = evalExpr as (document: unknown, expression: unknown, options: Partial<Options>) => unknown;

/** The expression operators of this server; anything else is refused before evaluation. */
const OPERATORS: Readonly<Record<`$${string}`, Operator>> = {
  $add,
  $subtract,
  $multiply,
  $divide,
  $cond,
  $ifNull,
  $and,
  $or,
  $not,
  $size,
  $concat,
  $literal,
  $arrayElemAt,
  $eq: comparison((order) => order === 0),
  $ne: comparison((order) => order !== 0),
  $gt: comparison((order) => order > 0),
  $gte: comparison((order) => order >= 0),
  $lt: comparison((order) => order < 0),
  $lte: comparison((order) => order <= 0),
  $max: extreme(1),
  $min: extreme(-1),
  $in: (document, operands, options) => {
    const [value, list] = operandsOf(document, operands, options);
    return Array.isArray(list) && list.some((item) => valuesEqual(item, value));
  },
};

const context = Context.init({ expression: OPERATORS as Registered });
const VARIABLES = new Set(['$$NOW', '$$ROOT', '$$CURRENT', '$$REMOVE']);

/** A compiled expression; answers undefined when it yields no value. */
export type Expression = (document: Document) => unknown;

/**
 * Compiles an aggregation expression. A plain `$path` keeps the value's exact type; whatever is computed is a plain
 * JavaScript value.
 * @param now what `$$NOW` is
 * @throws InvalidPipelineOperator (168) for an operator outside the allow-list, Location17276-like for a variable
 */
export function compileExpression(expression: unknown, now: Date): Expression {
  if (typeof expression === 'string' && expression.startsWith('$') && !expression.startsWith('$$')) {
    const parts = expression.slice(1).split('.');
    return (document) => valueAt(document, parts);
  }
  assertExpression(expression);
  if (expression === '$$NOW') return () => now;
  if (isConstant(expression)) return () => expression;
  const plain = decodePlain(encodeDocument({ expression }))['expression'] as unknown;
  const withNow = substituteNow(plain, now);
  return (document) => evaluate(decodePlain(encodeDocument(document)), withNow, { context });
}

function isConstant(expression: unknown): boolean {
  if (Array.isArray(expression)) return expression.every(isConstant);
  if (isDocument(expression)) return Object.keys(expression).length === 0;
  return typeof expression !== 'string' || !expression.startsWith('$');
}

/** A path in an expression collects through arrays and never takes a number for a position. */
function valueAt(value: unknown, parts: string[], depth = 0): unknown {
  const part = parts[depth];
  if (part === undefined) return value;
  if (Array.isArray(value)) {
    return value.map((item: unknown) => valueAt(item, parts, depth)).filter((item) => item !== undefined);
  }
  return isDocument(value) ? valueAt(ownField(value, part), parts, depth + 1) : undefined;
}

function substituteNow(expression: unknown, now: Date): unknown {
  if (expression === '$$NOW') return now;
  if (Array.isArray(expression)) return expression.map((item: unknown) => substituteNow(item, now));
  if (!isDocument(expression)) return expression;
  return Object.fromEntries(
    Object.entries(expression).map(([name, value]: [string, unknown]) => [
      name,
      name === '$literal' ? value : substituteNow(value, now),
    ]),
  );
}

function assertExpression(expression: unknown): void {
  if (typeof expression === 'string') {
    const variable = expression.startsWith('$$') ? expression.split('.')[0]! : undefined;
    if (variable && !VARIABLES.has(variable)) {
      throw new CommandError(168, `Use of undefined variable: ${variable.slice(2)}`);
    }
    return;
  }
  if (Array.isArray(expression)) return expression.forEach(assertExpression);
  if (!isDocument(expression)) return;
  for (const [name, argument] of Object.entries(expression) as [string, unknown][]) {
    if (name.startsWith('$') && !Object.hasOwn(OPERATORS, name)) {
      throw new CommandError(168, `Unrecognized expression '${name}'`);
    }
    if (name !== '$literal') assertExpression(argument);
  }
}
