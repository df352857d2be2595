import { AsyncLocalStorage } from 'node:async_hooks';

/** One page that the server renders for one visitor; nothing of it is shared with another. */
export interface Rendering {
  /** Sends a call as the visitor. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** When it is rendered, in ms: the clock of all its times. */
  readonly at: number;
  /** The answers by path that the page uses without queries; undefined for one that it has asked for. */
  readonly answers: Map<string, unknown>;
  /** The path of the page's one address, once the page has told it: only pages that are shown to others have one. */
  address?: string;
}

const storage = new AsyncLocalStorage<Rendering>();

/** Whatever `work` calls, also later, belongs to this rendering. */
export const renderingOf = <Result>(rendering: Rendering, work: () => Result): Result =>
  storage.run(rendering, work);

/** The rendering that the running code belongs to. */
export function rendering(): Rendering {
  const current = storage.getStore();
  if (!current) throw new Error('not within a rendering');
  return current;
}
