import { QueryClient, QueryClientProvider, skipToken } from '@tanstack/react-query';
import type { Query, QueryObserverOptions } from '@tanstack/react-query';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { createElement } from 'react';
import type { ReactNode } from 'react';
import { prerenderToNodeStream } from 'react-dom/static';
import { StaticRouter } from 'react-router-dom';
import { App } from './app/app.js';
import { pageAt } from './app/pages.js';
import type { PageData } from './browser/page-data.js';
import { rendering, renderingOf } from './rendering/rendering.js';
import type { Rendering } from './rendering/rendering.js';
import { origin } from './server/client/send.server.js';
import { BESIDE, queryDefaults } from './server/queries/query-client.js';

export interface PageRequest {
  /** Path and query, as in the address. */
  url: string;
  /** Sends a GET of the gateway's API as a visitor. */
  fetch(request: Request): Promise<Response>;
  /** Ends when the page is no longer waited for. */
  signal: AbortSignal;
}

export interface RenderedPage {
  /** What stands inside of `<div id="root">`. */
  html: string;
  /** What the page has read (`PageData`), as JSON, which the gateway escapes for the element that it puts it in. */
  data: string;
}

/** What is read may lead to more that is to be read: a profile by its name, then its posts. */
const MAX_ROUNDS = 4;

/**
 * Renders a page as visitors see it (UI-68). Undefined for a page that they are not shown, that leads elsewhere or is not found,
 * whose data did not come, or that is no longer waited for: then the browser renders it. Rejects where the page itself fails.
 */
export async function renderPage({ url, fetch, signal }: PageRequest): Promise<RenderedPage | undefined> {
  if (!pageAt(url.replace(/[?#].*$/s, '')).page.rendered) return undefined;
  const one: Rendering = {
    fetch: (request) => fetch(new Request(request, { signal })),
    at: Date.now(),
    answers: new Map(),
  };
  return renderingOf(one, () => inRounds(url, signal));
}

async function inRounds(url: string, signal: AbortSignal): Promise<RenderedPage | undefined> {
  const queryClient = new QueryClient({
    // Nothing is kept, and no timer: the page ends with its rendering.
    defaultOptions: { queries: { ...queryDefaults.queries, retry: false, gcTime: Infinity } },
  });
  const Router = ({ children }: { children: ReactNode }) => (
    <StaticRouter location={url}>{children}</StaticRouter>
  );
  const page = (
    <QueryClientProvider client={queryClient}>{createElement(App, { Router })}</QueryClientProvider>
  );
  for (let round = 1; round <= MAX_ROUNDS && !signal.aborted; round += 1) {
    rendering().address = undefined;
    const rendered = await render(page, signal);
    if (!rendered) return undefined;
    const isThere = await readMissing(queryClient);
    if (isThere === 'all') {
      if (rendering().address === undefined) return undefined;
      return { html: await text(rendered), data: dataOf(queryClient) };
    }
    // What lacks data is written nowhere.
    rendered.destroy();
    if (isThere === 'failed') return undefined;
  }
  return undefined;
}

/** With all that is loaded apart. Undefined once it is no longer waited for. */
async function render(page: ReactNode, signal: AbortSignal): Promise<Readable | undefined> {
  const failures: unknown[] = [];
  const onError = (error: unknown) => void failures.push(error);
  try {
    // In one piece, so that nothing has to be put in its place by scripts.
    const { prelude } = await prerenderToNodeStream(page, {
      signal,
      onError,
      progressiveChunkSize: Infinity,
    });
    if (failures.length > 0) throw failures[0];
    return signal.aborted ? undefined : (prelude as Readable);
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  }
}

/** A page does without: see `BESIDE`. */
const isBeside = ({ meta }: Query): boolean => meta === BESIDE;

/** Its options are those of the component that asks. */
function isMissing(query: Query): boolean {
  const { state, options } = query;
  const { enabled, queryFn } = options as Pick<QueryObserverOptions, 'enabled' | 'queryFn'>;
  if (state.data !== undefined || enabled === false || queryFn === skipToken) return false;
  return state.error === null || !isBeside(query);
}

/** Rejects where the page cannot do without. */
async function readQuery(query: Query): Promise<void> {
  try {
    await query.fetch();
  } catch (error) {
    if (!isBeside(query)) throw error;
  }
}

/** Reads what the page has asked for in vain: `all` where there was nothing to read. */
async function readMissing(queryClient: QueryClient): Promise<'all' | 'some' | 'failed'> {
  const { answers, fetch } = rendering();
  const queries = queryClient.getQueryCache().getAll().filter(isMissing);
  const paths = [...answers.keys()].filter((path) => answers.get(path) === undefined);
  if (queries.length + paths.length === 0) return 'all';
  const readPath = async (path: string) => {
    const answer = await fetch(new Request(new URL(path, origin)));
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
    answers.set(path, await answer.json());
  };
  const results = await Promise.allSettled([...queries.map(readQuery), ...paths.map(readPath)]);
  return results.every(({ status }) => status === 'fulfilled') ? 'some' : 'failed';
}

function dataOf(queryClient: QueryClient): string {
  const { at, answers } = rendering();
  const queries = queryClient.getQueryCache().getAll();
  const data: PageData = {
    at,
    queries: queries.flatMap(({ queryKey, state }) =>
      state.data === undefined ? [] : [[queryKey, state.data]],
    ),
    answers: Object.fromEntries(answers),
  };
  return JSON.stringify(data);
}
