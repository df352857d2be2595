import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { byPath, type ByPath, foundAt } from './page-paths.js';

/** Written by the frontend's build: the `Link` header of each page by its path (`/coaches/:coachId`), specific paths first. */
export const PAGE_LINKS = 'page-links.json';

const schema = z.record(z.string().startsWith('/'), z.string().regex(/^[ -~]+$/));

/**
 * `Link` headers that name the scripts of a page, so that browsers load them beside those that every page has (UI-59): else
 * they would be asked for only when the others run.
 */
export class PageLinks {
  private constructor(private readonly pages: ByPath<string>) {}

  /** Throws for a file that is not what the build writes. */
  static async read(file: string): Promise<PageLinks> {
    const pages = schema.parse(JSON.parse(await readFile(file, 'utf8')));
    return new PageLinks(byPath(pages));
  }

  /** Whether a page has exactly this path. None with a parameter has: no address holds its colon. */
  has(path: string): boolean {
    return !path.includes(':') && this.pages.some((page) => page.path === path);
  }

  /** The header of the page at a decoded path; empty when it has none. */
  linkOf(path: string): string {
    return foundAt(this.pages, path) ?? '';
  }
}
