import { Int32, type Document } from 'bson';
import { decodeDocument, encodeDocument, isDocument, isNumber, numberOf } from './bson-values.js';
import { badValue, CommandError } from './command-error.js';
import { compileGroup, type Stage } from './aggregation.js';
import { ownField } from './document-path.js';
import { compileExpression, type Expression } from './expressions.js';
import { compileFilter } from './filter-matcher.js';
import { parseFilter } from './filter-parser.js';
import { parseSort, sortDocuments } from './sort.js';
import { compileProjection } from './projection.js';
import { setComputed } from './update-pipeline.js';

/** The stages a query can do before the first document is decoded. */
export interface PipelineHead {
  filter: Document;
  sort: Document | undefined;
  skip: number;
  limit: number;
}

/**
 * Splits a pipeline into what the query planner does (`$match`, `$sort`, `$skip`, `$limit`, in that order, at the
 * start) and the stages left to be run over its documents.
 * @throws Location40324 for a stage outside the allow-list
 */
export function splitPipeline(pipeline: unknown[], now: Date): { head: PipelineHead; stages: Stage[] } {
  const entries = pipeline.map(parseStage);
  const head: PipelineHead = { filter: {}, sort: undefined, skip: 0, limit: 0 };
  let at = 0;
  const takes = (name: string): unknown => (entries[at]?.[0] === name ? entries[at++]![1] : undefined);
  const match = takes('$match');
  if (match !== undefined) head.filter = filterOf(match);
  const sort = takes('$sort');
  if (sort !== undefined) {
    parseSort(sort);
    head.sort = sort as Document;
  }
  const skip = takes('$skip');
  if (skip !== undefined) head.skip = wholeNumber('$skip', skip, 0);
  const limit = takes('$limit');
  if (limit !== undefined) head.limit = wholeNumber('$limit', limit, 1);
  return { head, stages: entries.slice(at).map(([name, argument]) => compileStage(name, argument, now)) };
}

function parseStage(stage: unknown): [string, unknown] {
  if (!isDocument(stage) || Object.keys(stage).length !== 1) {
    throw new CommandError(40324, 'A pipeline stage specification object must contain exactly one field.');
  }
  return Object.entries(stage)[0] as [string, unknown];
}

function compileStage(name: string, argument: unknown, now: Date): Stage {
  switch (name) {
    case '$match': {
      const predicate = compileFilter(parseFilter(filterOf(argument)));
      return (documents) => documents.filter(predicate);
    }
    case '$sort': {
      const sort = parseSort(argument);
      if (sort.length === 0) throw badValue('$sort stage must have at least one sort key');
      return (documents) => sortDocuments(documents, (document) => document, sort);
    }
    case '$skip': {
      const skip = wholeNumber(name, argument, 0);
      return (documents) => documents.slice(skip);
    }
    case '$limit': {
      const limit = wholeNumber(name, argument, 1);
      return (documents) => documents.slice(0, limit);
    }
    case '$count':
      return compileCount(argument);
    case '$group':
      return compileGroup(argument, now);
    case '$project':
      return compileProject(argument, now);
    case '$addFields':
    case '$set': {
      const fields = expressionsOf(argument, now);
      return (documents) =>
        documents.map((document) => {
          const changed = decodeDocument(encodeDocument(document));
          setComputed(changed, fields, now);
          return changed;
        });
    }
    case '$unwind':
      return compileUnwind(argument);
    default:
      throw new CommandError(40324, `Unrecognized pipeline stage name: '${name}'`);
  }
}

function filterOf(argument: unknown): Document {
  if (!isDocument(argument)) throw badValue('the match filter must be an expression in an object');
  return argument;
}

function wholeNumber(name: string, argument: unknown, least: number): number {
  const value = isNumber(argument) ? Number(numberOf(argument)) : NaN;
  if (!Number.isInteger(value) || value < least) throw badValue(`invalid argument to ${name} stage`);
  return value;
}

function compileCount(argument: unknown): Stage {
  if (typeof argument !== 'string' || argument === '' || /^\$|[.\0]/.test(argument)) {
    throw badValue('the count field must be a non-empty string without dots that does not start with $');
  }
  return (documents) => (documents.length === 0 ? [] : [{ [argument]: new Int32(documents.length) }]);
}

function expressionsOf(argument: unknown, now: Date): [string, Expression][] {
  if (!isDocument(argument)) throw badValue('the specification must be an object');
  return Object.entries(argument).map(([path, expression]) => [path, compileExpression(expression, now)]);
}

/** Inclusion, exclusion, or fields computed by expressions beside included ones. */
function compileProject(argument: unknown, now: Date): Stage {
  if (!isDocument(argument)) throw badValue('$project specification must be an object');
  if (Object.keys(argument).length === 0)
    throw badValue('projection specification must have at least one field');
  const isFlag = (value: unknown): boolean => isNumber(value) || typeof value === 'boolean';
  const flags = Object.entries(argument).filter(([, value]) => isFlag(value));
  const computed = Object.entries(argument).filter(([, value]) => !isFlag(value));
  if (computed.length === 0) {
    const projection = compileProjection(argument);
    return (documents) => (projection ? documents.map(projection.apply) : documents);
  }
  const wantsId = !flags.some(([path, value]) => path === '_id' && isNone(value));
  const included = flags.filter(([path]) => path !== '_id');
  if (included.some(([, value]) => isNone(value)))
    throw badValue('$project cannot exclude beside computed fields');
  const kept = compileProjection({ ...Object.fromEntries(included), _id: wantsId });
  const fields = computed.map(([path, expression]): [string, Expression] => [
    path,
    compileExpression(expression, now),
  ]);
  return (documents) =>
    documents.map((document) => {
      // With `_id: false` alone, a projection would keep all the others.
      const base = included.length === 0 && !wantsId ? {} : kept!.apply(document);
      const result = decodeDocument(encodeDocument(base));
      setComputed(
        result,
        fields.map(([path, expression]) => [path, () => expression(document)]),
        now,
      );
      return result;
    });
}

function isNone(value: unknown): boolean {
  return value === false || (isNumber(value) && Number(numberOf(value)) === 0);
}

function compileUnwind(argument: unknown): Stage {
  const path = isDocument(argument) ? ownField(argument, 'path') : argument;
  const keepEmpty = isDocument(argument) && ownField(argument, 'preserveNullAndEmptyArrays') === true;
  const unknown = isDocument(argument)
    ? Object.keys(argument).find((name) => !['path', 'preserveNullAndEmptyArrays'].includes(name))
    : undefined;
  if (unknown) throw badValue(`unrecognized option to $unwind stage: ${unknown}`);
  if (typeof path !== 'string' || !/^\$[^.$]+$/.test(path)) {
    throw badValue("this server's $unwind needs the path of a top-level field, prefixed with '$'");
  }
  const name = path.slice(1);
  return (documents) =>
    documents.flatMap((document) => {
      const value = ownField(document, name);
      if (Array.isArray(value) && value.length > 0) {
        return value.map((item: unknown) => ({ ...document, [name]: item }));
      }
      const isEmpty = value === undefined || value === null || Array.isArray(value);
      if (!isEmpty) return [document];
      if (!keepEmpty) return [];
      if (!Array.isArray(value)) return [document];
      const { [name]: _, ...rest } = document;
      return [rest];
    });
}
