import { readFile } from 'node:fs/promises';
import { Negotiator } from '@fastify/accept-negotiator';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { etagOf, hasTag } from '../bodies/conditional.js';
import { ENCODINGS, type Encoding, type PageDocument } from './page-document.js';
import type { MissingTexts } from './page-texts.js';
import { escapeHtml, escapeScriptJson } from './escape-html.js';
import { readIfThere } from './read-if-there.js';
import type { RenderedPage } from './render-bundle.js';

const HTML = 'text/html; charset=utf-8';
const OWN_TITLE = /<title>[^<]*<\/title>/;
const OWN_DESCRIPTION = /<meta\s+name="description"[^>]*>\s*/;
const ROOT = '<div id="root"></div>';
/** On the first element, so that scripts which run before the whole document is there know it. */
const HTML_ELEMENT = '<html';
const END = '</body>';
/** What browsers say that run no scripts. */
const WITHOUT_SCRIPTS = /<noscript>[^]*?<\/noscript>\s*/;
const ITS_TEXT = /(<noscript>\s*<div[^>]*>)[^]*?(<\/div>\s*<\/noscript>)/;

/** What is told of one page. */
export interface PageParts {
  /** HTML in place of the page's title and description. */
  head: string;
  /** What the page is about, as JSON-LD. */
  facts?: object;
  /** The page itself, rendered. */
  rendered?: RenderedPage;
}

export interface PageAnswer {
  parts?: PageParts;
  /** Answered with 404. */
  missing?: boolean;
}

const SUFFIXES = { br: '.br', gzip: '.gz' } as const;

/**
 * The frontend's page, which answers every path of the site: in memory, as the build has compressed it. Sent as a file
 * it would take three times the processor time of a visit (measured).
 */
export class SpaPage {
  private readonly negotiator: Negotiator;
  /** Of pages that are compressed here. */
  private readonly documents = new Negotiator({ supportedValues: [...ENCODINGS, 'identity'] });
  private readonly etag: string;

  private constructor(
    private readonly plain: Buffer,
    private readonly encoded: ReadonlyMap<string, Buffer>,
  ) {
    this.negotiator = new Negotiator({ supportedValues: [...encoded.keys(), 'identity'] });
    this.etag = etagOf(plain.toString());
  }

  static async read(path: string): Promise<SpaPage> {
    const encoded = new Map<string, Buffer>();
    for (const encoding of ENCODINGS) {
      const content = await readIfThere(path + SUFFIXES[encoding]);
      if (content) encoded.set(encoding, content);
    }
    return new SpaPage(await readFile(path), encoded);
  }

  /**
   * The page with what is told of this one, in place of what the build says of the site as a whole. What scripts and search
   * engines alone read stands at the end: slow readers see the page first.
   */
  compose({ head, facts, rendered }: PageParts): string {
    const blocks = [
      ...(facts
        ? [`<script type="application/ld+json">${escapeScriptJson(JSON.stringify(facts))}</script>`]
        : []),
      ...(rendered
        ? [`<script type="application/json" id="page-data">${escapeScriptJson(rendered.data)}</script>`]
        : []),
    ];
    // The text of users comes last, so that nothing is looked for in it.
    const built = this.plain.toString();
    const page = (rendered ? built.replace(WITHOUT_SCRIPTS, '') : built)
      .replace(END, () => `${blocks.join('\n')}${END}`)
      .replace(OWN_DESCRIPTION, '')
      .replace(OWN_TITLE, () => head);
    if (!rendered) return page;
    return page
      .replace(HTML_ELEMENT, `${HTML_ELEMENT} data-rendered`)
      .replace(ROOT, () => `<div id="root">${rendered.html}</div>`);
  }

  /** The page as it was built, with the title of one of its pages. */
  titled(title: string): string {
    return this.plain.toString().replace(OWN_TITLE, () => `<title>${escapeHtml(title)}</title>`);
  }

  /** What stands in the place of a page that is not there. The application shows the same; this is for those without scripts. */
  missing({ title, heading, text, home }: MissingTexts): string {
    const says = `<h1>${escapeHtml(heading)}</h1><p>${escapeHtml(text)}</p><p><a href="/">${escapeHtml(home)}</a></p>`;
    return this.titled(title)
      .replace(OWN_DESCRIPTION, '')
      .replace(ITS_TEXT, (_all, begin: string, end: string) => begin + says + end);
  }

  send(request: FastifyRequest, reply: FastifyReply, { parts, missing = false }: PageAnswer): void {
    const content = parts && this.compose(parts);
    if (!missing && isKnown(content === undefined ? this.etag : etagOf(content), request, reply)) return;
    if (missing) reply.code(404);
    if (content === undefined) this.sendBuilt(request, reply);
    else void reply.type(HTML).send(content);
  }

  /** Sends a page that has been composed before. Rejects when it cannot be compressed. */
  async sendDocument(
    request: FastifyRequest,
    reply: FastifyReply,
    document: PageDocument,
    { missing = false }: Pick<PageAnswer, 'missing'> = {},
  ): Promise<void> {
    if (missing) reply.code(404);
    else if (isKnown(document.etag, request, reply)) return;
    const accepted = request.headers['accept-encoding'];
    const encoding = (accepted && this.documents.negotiate(accepted)) || 'identity';
    const content = await document.as(encoding as Encoding | 'identity');
    if (encoding !== 'identity') reply.header('content-encoding', encoding);
    void reply.type(HTML).send(content);
  }

  private sendBuilt(request: FastifyRequest, reply: FastifyReply): void {
    const accepted = request.headers['accept-encoding'];
    const encoding = accepted === undefined ? null : this.negotiator.negotiate(accepted);
    const content = encoding === null ? undefined : this.encoded.get(encoding);
    if (content) reply.header('content-encoding', encoding);
    void reply.type(HTML).send(content ?? this.plain);
  }
}

/** Gives the page its tag, and answers 304 where the client has it. */
function isKnown(etag: string, request: FastifyRequest, reply: FastifyReply): boolean {
  reply.header('etag', etag);
  if (!hasTag(request.headers['if-none-match'], etag)) return false;
  void reply.code(304).send();
  return true;
}
