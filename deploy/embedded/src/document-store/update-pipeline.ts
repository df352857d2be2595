import type { Document } from 'bson';
import { isDocument } from './bson-values.js';
import { CommandError, failedToParse } from './command-error.js';
import { compileExpression, type Expression } from './expressions.js';
import { compileUpdate, type DocumentChange } from './update-operators.js';

/**
 * A pipeline update of `$set`/`$addFields` and `$unset` stages. Within a stage every expression sees the document as
 * the stage found it, as on MongoDB.
 * @param now what `$$NOW` is
 */
export function compilePipelineUpdate(stages: unknown[], now: Date): DocumentChange {
  const compiled = stages.map((stage) => compileStage(stage, now));
  return (document) => {
    for (const change of compiled) change(document, false);
  };
}

function compileStage(stage: unknown, now: Date): DocumentChange {
  if (!isDocument(stage) || Object.keys(stage).length !== 1) {
    throw failedToParse('A pipeline stage specification object must contain exactly one field.');
  }
  const [name, argument] = Object.entries(stage)[0] as [string, unknown];
  switch (name) {
    case '$set':
    case '$addFields': {
      if (!isDocument(argument)) throw new CommandError(40324, `${name} specification must be an object`);
      const fields = Object.entries(argument).map(([path, expression]): [string, Expression] => [
        path,
        compileExpression(expression, now),
      ]);
      return (document) => setComputed(document, fields, now);
    }
    case '$unset': {
      const paths = (Array.isArray(argument) ? argument : [argument]) as unknown[];
      return compileUpdate({ $unset: Object.fromEntries(paths.map((path) => [String(path), 1])) }, now);
    }
    default:
      throw new CommandError(72, `${name} is not allowed to be used within an update`);
  }
}

export function setComputed(document: Document, fields: [string, Expression][], now: Date): void {
  const computed = fields.map(([path, expression]): [string, unknown] => [path, expression(document)]);
  const present = computed.filter(([, value]) => value !== undefined);
  const missing = computed.filter(([, value]) => value === undefined);
  compileUpdate({ $set: Object.fromEntries(present) }, now)(document, true);
  const removed = missing.filter(([path]) => fields.some(([other]) => other === path));
  compileUpdate({ $unset: Object.fromEntries(removed.map(([path]) => [path, 1])) }, now)(document, true);
}
