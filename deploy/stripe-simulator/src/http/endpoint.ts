import { z } from 'zod';
import type { Books } from '../books.js';
import { readParameters, type Range } from './parameters.js';

export interface Paging {
  limit?: number;
  starting_after?: string;
  ending_before?: string;
  created?: Range;
}

/** A list before it is filtered by time and cut into pages: the oldest object first. */
export class Listed {
  constructor(
    readonly items: readonly { id: string; created?: number }[],
    readonly paging: Paging = {},
  ) {}
}

export const listed = (items: readonly { id: string; created?: number }[]) => new Listed(items);

export interface Call<P> {
  /** Of the account that the request is for. */
  books: Books;
  /** The id in the path; '' where it has none. */
  id: string;
  parameters: P;
}

export interface Endpoint {
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  /** Checks the parameters and returns what carries the request out. */
  prepare(given: Readonly<Record<string, unknown>>): (books: Books, id: string) => object;
}

/** One call of the API: its parameters are those of `shape` and no others. */
export function endpoint<S extends z.ZodRawShape>(
  method: Endpoint['method'],
  path: string,
  shape: S,
  run: (call: Call<z.output<z.ZodObject<S>>>) => object,
): Endpoint {
  const schema = z.strictObject(shape) as unknown as z.ZodObject<S>;
  return {
    method,
    path,
    prepare(given) {
      const parameters = readParameters(schema, given);
      return (books, id) => {
        const result = run({ books, id, parameters });
        return result instanceof Listed ? new Listed(result.items, parameters as Paging) : result;
      };
    },
  };
}
