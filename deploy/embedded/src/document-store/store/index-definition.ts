import type { Document } from 'bson';
import { CommandError } from '../rules/command-error.js';
import { indexedValues } from '../values/document-path.js';
import { encodeCompoundKey, treePrefix } from '../values/key-encoding.js';

export interface IndexField {
  path: string;
  parts: string[];
  descending: boolean;
}

export interface IndexSpecification {
  name: string;
  key: Record<string, 1 | -1>;
  unique: boolean;
  sparse: boolean;
}

/** An index of a collection; `_id_` is the tree of the documents themselves. */
export class IndexDefinition {
  readonly fields: IndexField[];
  readonly prefix: Buffer;
  /** Paths on which some document has held an array: bounds on them cannot be intersected, and they give no order. */
  readonly multikeyPaths: Set<string>;
  private readonly descending: boolean[];

  constructor(
    readonly tree: number,
    readonly specification: IndexSpecification,
    multikeyPaths: string[] = [],
  ) {
    this.multikeyPaths = new Set(multikeyPaths);
    this.fields = Object.entries(specification.key).map(([path, direction]) => ({
      path,
      parts: path.split('.'),
      descending: direction === -1,
    }));
    this.descending = this.fields.map((field) => field.descending);
    this.prefix = treePrefix(tree);
  }

  get isPrimary(): boolean {
    return this.specification.name === '_id_';
  }

  /** Whether no document is known to hold an array on the path; false for a path that is not in this index. */
  holdsScalars(path: string): boolean {
    return path === '_id' || (Object.hasOwn(this.specification.key, path) && !this.multikeyPaths.has(path));
  }

  /**
   * The keys of a document in this index without the document's id, none when a sparse index leaves it out.
   * @throws CannotIndexParallelArrays (171), KeyTooLong (17280), BadValue (2) for values that are not indexed here
   */
  keysOf(document: Document): { keys: Buffer[]; multikeyPaths: string[] } {
    const { rows, multikey } = this.rowsOf(document);
    const keys = rows.map((values) => encodeCompoundKey(this.prefix, values, this.descending));
    if (!multikey) return { keys, multikeyPaths: [] };
    const distinct = new Map(keys.map((key) => [key.toString('latin1'), key]));
    return { keys: [...distinct.values()], multikeyPaths: [multikey] };
  }

  /** The key values that an E11000 reply reports for a duplicate key. */
  keyValueOf(document: Document, doubled: Buffer): Document {
    const { rows } = this.rowsOf(document);
    const row =
      rows.find((values) => encodeCompoundKey(this.prefix, values, this.descending).equals(doubled)) ?? [];
    // An empty array has its own value in the index; MongoDB shows it as undefined, which current BSON encodes as
    // null.
    const shown = row.map((value) => (typeof value === 'symbol' ? null : (value ?? null)));
    return Object.fromEntries(this.fields.map(({ path }, at) => [path, shown[at]]));
  }

  /** The description that `listIndexes` returns. */
  describe(): Document {
    const { key, name, unique, sparse } = this.specification;
    return { v: 2, key, name, ...(unique && !this.isPrimary && { unique }), ...(sparse && { sparse }) };
  }

  /** The values of each key of a document, and the path on which it holds an array. */
  private rowsOf(document: Document): { rows: unknown[][]; multikey?: string } {
    const columns = this.fields.map((field) => indexedValues(document, field.parts));
    if (
      this.specification.sparse &&
      columns.every(({ values }) => values.every((value) => value === undefined))
    ) {
      return { rows: [] };
    }
    const several = columns.findIndex((column) => column.multikey);
    const first = columns.map((column) => column.values[0]);
    if (several === -1) return { rows: [first] };
    if (columns.some((column, at) => column.multikey && at !== several)) {
      throw new CommandError(171, `cannot index parallel arrays of index ${this.specification.name}`);
    }
    return {
      rows: columns[several]!.values.map((value) => first.with(several, value)),
      multikey: this.fields[several]!.path,
    };
  }
}
