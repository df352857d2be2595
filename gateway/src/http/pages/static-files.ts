import { readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendProblem } from '../../errors/send-problem.js';
import { PageDocument } from './page-document.js';
import { PAGE_LINKS, PageLinks } from './page-links.js';
import { type MissingTexts, PAGE_TEXTS, PageTexts } from './page-texts.js';
import { rendererOf, RENDER_BUNDLE, type RenderPage } from './render-bundle.js';
import { type PageAnswer, type PageParts, SpaPage } from './spa-page.js';

const INDEX = 'index.html';
/** Names under it carry a hash of their content, and no page has one there. */
const HASHED = /^assets\//;
/**
 * No page's name ends so, and no username (PEOPLE-6): browsers and other programs ask for such files by themselves, such as
 * `/favicon.ico`, and a page in their place would say that nobody is called so.
 */
const FILE =
  /\.(ico|png|jpe?g|gif|svg|webp|avif|bmp|m?js|map|css|woff2?|ttf|otf|json|xml|txt|webmanifest|pdf|zip|gz|br|php|ya?ml|env|sql)$/i;
/** RFC 8615. */
const WELL_KNOWN = /^\.well-known(\/|$)/;
/** What the build has compressed is sent in place of the file beside it, never by its own name. */
const COMPRESSED = /\.(br|gz)$/;

/** To whom a page is the same: what guests are shown may be rendered, and members get it plain (HTTP-38). */
export type Audience = 'everybody' | 'guests';

/** The built frontend: its files, and its page for every other path (HTTP-26). */
export class StaticFiles {
  /** The page with each title, and in place of each that is missing. */
  private readonly documents = new Map<string | MissingTexts, PageDocument>();

  private constructor(
    private readonly names: ReadonlySet<string>,
    private readonly page: SpaPage,
    private readonly links: PageLinks,
    private readonly texts: PageTexts,
    /** What renders the page of guests, where the build has that. */
    readonly renderPage: RenderPage | undefined,
  ) {}

  /** Null when nothing has been built at `directory`. Throws when it is not all that the build writes. */
  static async open(fastify: FastifyInstance, directory: string): Promise<StaticFiles | null> {
    const names = await listFiles(directory);
    if (!names.has(INDEX)) return null;
    await fastify.register(fastifyStatic, {
      root: directory,
      serve: false,
      preCompressed: true,
      cacheControl: false,
    });
    for (const name of [PAGE_LINKS, PAGE_TEXTS, RENDER_BUNDLE]) names.delete(name);
    const links = await PageLinks.read(join(directory, PAGE_LINKS));
    const page = await SpaPage.read(join(directory, INDEX));
    const texts = await PageTexts.read(join(directory, PAGE_TEXTS));
    return new StaticFiles(names, page, links, texts, await rendererOf(directory));
  }

  /**
   * What answers a decoded path: `gone` for a file that is not there, or not any more, since a page in its place would be
   * taken for it. Only what was there at the start is served: a path leads nowhere else.
   */
  kindOf(path: string): 'file' | 'page' | 'gone' {
    const name = path.slice(1);
    if (name !== INDEX && this.names.has(name)) return 'file';
    return [HASHED, FILE, WELL_KNOWN].some((pattern) => pattern.test(name)) ? 'gone' : 'page';
  }

  /** Whether it has a page at this path, the same for everybody: not one whose path says whom or what it is about (UI-1). */
  hasPage(path: string): boolean {
    return this.links.has(path);
  }

  /** What the build says of its page at a path that is about nobody. */
  aboutAt(path: string): ReturnType<PageTexts['aboutAt']> {
    return this.texts.aboutAt(path);
  }

  sendFile(path: string, reply: FastifyReply): void {
    const name = path.slice(1);
    reply.header('vary', 'accept-encoding');
    reply.header(
      'cache-control',
      HASHED.test(name) ? 'public, max-age=31536000, immutable' : 'public, no-cache',
    );
    void reply.sendFile(name);
  }

  /** The page at a decoded path with what is told of it; 404 if it is `missing`. */
  sendPage(
    path: string,
    request: FastifyRequest,
    reply: FastifyReply,
    { audience, ...answer }: PageAnswer & { audience: Audience },
  ): void {
    const { parts, missing } = answer;
    this.addHeaders(path, reply, audience, missing);
    const document = parts ? undefined : this.documentAt(path, missing);
    if (!document) return this.page.send(request, reply, answer);
    this.page
      .sendDocument(request, reply, document, { missing })
      .catch((error: unknown) => sendProblem(error, request, reply));
  }

  /** The plain page with what the build says in place of the one at a path, where it says something. */
  private documentAt(path: string, missing = false): PageDocument | undefined {
    const texts = missing ? this.texts.missingAt(path) : this.texts.titleOf(path);
    if (texts === undefined) return undefined;
    let document = this.documents.get(texts);
    if (!document) {
      const html = typeof texts === 'string' ? this.page.titled(texts) : this.page.missing(texts);
      this.documents.set(texts, (document = new PageDocument(html)));
    }
    return document;
  }

  /** The page of guests with all that is told and shown of it, to be sent by `sendDocument`. */
  compose(parts: PageParts): string {
    return this.page.compose(parts);
  }

  /** Rejects when the page cannot be compressed. */
  sendDocument(
    path: string,
    request: FastifyRequest,
    reply: FastifyReply,
    document: PageDocument,
  ): Promise<void> {
    this.addHeaders(path, reply, 'guests');
    return this.page.sendDocument(request, reply, document);
  }

  private addHeaders(path: string, reply: FastifyReply, audience: Audience, missing = false): void {
    const link = missing ? '' : this.links.linkOf(path);
    if (link !== '') reply.header('link', link);
    reply.header('vary', audience === 'guests' ? 'accept-encoding, cookie' : 'accept-encoding');
    reply.header('cache-control', 'public, no-cache');
  }
}

async function listFiles(directory: string): Promise<Set<string>> {
  let entries;
  try {
    entries = await readdir(directory, { recursive: true, withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return new Set();
    throw error;
  }
  const files = entries.filter((entry) => entry.isFile() && !COMPRESSED.test(entry.name));
  return new Set(
    files.map((file) => relative(directory, join(file.parentPath, file.name)).replaceAll(sep, '/')),
  );
}
