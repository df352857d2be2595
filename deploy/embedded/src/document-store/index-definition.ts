import type { Document } from 'bson';
import { isDocument, isNumber, numberOf } from './bson-values.js';
import { badValue, CommandError } from './command-error.js';
import { indexedValues, isArrayPosition } from './document-path.js';
import { compileFilter, type Predicate } from './filter-matcher.js';
import { parseFilter, truthy, type Filter } from './filter-parser.js';
import { encodeCompoundKey, treePrefix } from './key-encoding.js';

export interface IndexField {
  path: string;
  parts: string[];
  descending: boolean;
}

/** An index as its collection keeps it; `_id_` is the tree of the documents themselves. */
export class IndexDefinition {
  readonly fields: IndexField[];
  readonly descending: boolean[];
  readonly prefix: Buffer;
  readonly partialFilter: Filter | undefined;
  /** Paths on which some document held an array: bounds on them cannot be intersected, nor an order trusted. */
  readonly multikeyPaths = new Set<string>();
  private readonly partialPredicate: Predicate | undefined;

  constructor(
    readonly tree: number,
    readonly name: string,
    readonly key: Record<string, 1 | -1>,
    readonly unique: boolean,
    readonly sparse: boolean,
    readonly partialFilterExpression: Document | undefined,
  ) {
    this.fields = Object.entries(key).map(([path, direction]) => ({
      path,
      parts: path.split('.'),
      descending: direction === -1,
    }));
    this.descending = this.fields.map((field) => field.descending);
    this.prefix = treePrefix(tree);
    if (partialFilterExpression) {
      this.partialFilter = parseFilter(partialFilterExpression);
      this.partialPredicate = compileFilter(this.partialFilter);
    }
  }

  get isPrimary(): boolean {
    return this.name === '_id_';
  }

  /**
   * The keys of a document in this index without the document's id, none when a sparse or partial index leaves it out.
   * @throws CannotIndexParallelArrays (171), KeyTooLong (17280)
   */
  keysOf(document: Document): { keys: Buffer[]; multikeyPaths: string[] } {
    if (this.partialPredicate && !this.partialPredicate(document)) return { keys: [], multikeyPaths: [] };
    const columns = this.fields.map((field) => indexedValues(document, field.parts));
    if (this.sparse && columns.every(({ values }) => values.every((value) => value === undefined))) {
      return { keys: [], multikeyPaths: [] };
    }
    const several = columns.findIndex((column) => column.multikey);
    if (several === -1) {
      const values = columns.map((column) => column.values[0]);
      return { keys: [encodeCompoundKey(this.prefix, values, this.descending)], multikeyPaths: [] };
    }
    if (columns.some((column, at) => column.multikey && at !== several)) {
      throw new CommandError(171, `cannot index parallel arrays of index ${this.name}`);
    }
    const keys = new Map<string, Buffer>();
    for (const value of columns[several]!.values) {
      const values = columns.map((column, at) => (at === several ? value : column.values[0]));
      const encoded = encodeCompoundKey(this.prefix, values, this.descending);
      keys.set(encoded.toString('latin1'), encoded);
    }
    return { keys: [...keys.values()], multikeyPaths: [this.fields[several]!.path] };
  }

  /** What an E11000 reply tells of the key a document would have doubled. */
  keyValueOf(document: Document): Document {
    return Object.fromEntries(
      this.fields.map((field) => [field.path, indexedValues(document, field.parts).values[0] ?? null]),
    );
  }

  /** As `listIndexes` answers it. */
  describe(): Document {
    return {
      v: 2,
      key: this.key,
      name: this.name,
      ...(this.unique && !this.isPrimary && { unique: true }),
      ...(this.sparse && { sparse: true }),
      ...(this.partialFilterExpression && { partialFilterExpression: this.partialFilterExpression }),
    };
  }
}

export interface IndexSpecification {
  name: string;
  key: Record<string, 1 | -1>;
  unique: boolean;
  sparse: boolean;
  partialFilterExpression: Document | undefined;
}

const ALLOWED_OPTIONS = [
  'key',
  'name',
  'unique',
  'sparse',
  'partialFilterExpression',
  'background',
  'v',
  'ns',
];

/** Validates one entry of `createIndexes.indexes`. @throws CannotCreateIndex (67), InvalidOptions (72), FailedToParse */
export function parseIndexSpecification(spec: unknown): IndexSpecification {
  if (!isDocument(spec)) throw badValue('an index must be a document');
  for (const option of Object.keys(spec)) {
    if (!ALLOWED_OPTIONS.includes(option)) {
      throw new CommandError(72, `the index option '${option}' is not supported by this server`);
    }
  }
  const key = parseKey(spec['key']);
  const name: unknown = spec['name'];
  if (typeof name !== 'string' || name === '') throw new CommandError(67, "an index needs a 'name'");
  const sparse = truthy(spec['sparse']);
  const partial: unknown = spec['partialFilterExpression'];
  if (partial !== undefined && !isDocument(partial)) {
    throw new CommandError(67, "'partialFilterExpression' must be a document");
  }
  if (partial && sparse)
    throw new CommandError(67, 'cannot mix "partialFilterExpression" and "sparse" options');
  if (partial) assertPartialFilter(parseFilter(partial));
  return { name, key, unique: truthy(spec['unique']), sparse, partialFilterExpression: partial };
}

function parseKey(key: unknown): Record<string, 1 | -1> {
  if (!isDocument(key) || Object.keys(key).length === 0) {
    throw new CommandError(67, 'Index keys cannot be empty.');
  }
  return Object.fromEntries(
    Object.entries(key).map(([path, direction]) => {
      const value = isNumber(direction) ? Number(numberOf(direction)) : NaN;
      if (value !== 1 && value !== -1) {
        throw new CommandError(67, `index '${path}': only 1 and -1 are supported by this server`);
      }
      if (path.split('.').some((part) => part === '' || part.startsWith('$') || isArrayPosition(part))) {
        throw new CommandError(67, `'${path}' cannot be indexed by this server`);
      }
      return [path, value];
    }),
  );
}

const PARTIAL_TESTS = ['eq', 'in', 'gt', 'gte', 'lt', 'lte', 'exists', 'type'];

function assertPartialFilter(filter: Filter): void {
  if (filter.kind === 'and') return filter.clauses.forEach(assertPartialFilter);
  const fine =
    filter.kind === 'field' &&
    PARTIAL_TESTS.includes(filter.test.op) &&
    (filter.test.op !== 'exists' || filter.test.exists);
  if (!fine) throw new CommandError(67, 'unsupported expression in partial index');
}
