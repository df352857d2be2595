import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';

/** Written by the frontend's build: one module that renders its pages. Never served. */
export const RENDER_BUNDLE = 'render.mjs';

/** A page to be rendered; the frontend's `render.tsx` has the same. */
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
  /** What the page's queries have read, as JSON. */
  data: string;
}

/** Undefined for a page that guests are not shown, or whose data did not come. */
export type RenderPage = (request: PageRequest) => Promise<RenderedPage | undefined>;

const bundle = z.object({ renderPage: z.custom<RenderPage>((value) => typeof value === 'function') });

/**
 * What renders the pages of the build at `directory`; undefined where it has none. It is loaded with the first page: a gateway
 * that nobody visits starts without its 13 MiB (measured). Its pages reject where it cannot be loaded.
 */
export async function rendererOf(directory: string): Promise<RenderPage | undefined> {
  const file = join(directory, RENDER_BUNDLE);
  if (!(await isThere(file))) return undefined;
  let loaded: Promise<RenderPage> | undefined;
  return async (request) => (await (loaded ??= load(file)))(request);
}

async function load(file: string): Promise<RenderPage> {
  const { renderPage } = bundle.parse({ ...(await import(pathToFileURL(file).href)) });
  return renderPage;
}

async function isThere(file: string): Promise<boolean> {
  try {
    await access(file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
