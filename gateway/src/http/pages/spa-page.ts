import { readFile } from 'node:fs/promises';
import { Negotiator } from '@fastify/accept-negotiator';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { etagOf, hasTag } from '../bodies/conditional.js';

const HTML = 'text/html; charset=utf-8';
const OWN_TITLE = /<title>[^<]*<\/title>/;
const OWN_DESCRIPTION = /<meta\s+name="description"[^>]*>\s*/;

export interface PageAnswer {
  /** HTML in place of the page's title and description. */
  head?: string;
  /** Answered with 404. */
  missing?: boolean;
}

const SUFFIXES = { br: '.br', gzip: '.gz' } as const;
const ENCODINGS = Object.keys(SUFFIXES) as (keyof typeof SUFFIXES)[];

/**
 * The frontend's page, which answers every path of the site: in memory, as the build has compressed it. Sent as a file
 * it would take three times the processor time of a visit (measured).
 */
export class SpaPage {
  private readonly negotiator: Negotiator;
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

  /** Without what the build says of the site as a whole. */
  private withHead(head: string): string {
    return this.plain
      .toString()
      .replace(OWN_DESCRIPTION, '')
      .replace(OWN_TITLE, () => head);
  }

  send(request: FastifyRequest, reply: FastifyReply, { head, missing = false }: PageAnswer): void {
    const content = head === undefined ? undefined : this.withHead(head);
    if (!missing) {
      const etag = content === undefined ? this.etag : etagOf(content);
      reply.header('etag', etag);
      if (hasTag(request.headers['if-none-match'], etag)) return void reply.code(304).send();
    }
    if (missing) reply.code(404);
    if (content === undefined) this.sendBuilt(request, reply);
    else void reply.type(HTML).send(content);
  }

  private sendBuilt(request: FastifyRequest, reply: FastifyReply): void {
    const accepted = request.headers['accept-encoding'];
    const encoding = accepted === undefined ? null : this.negotiator.negotiate(accepted);
    const content = encoding === null ? undefined : this.encoded.get(encoding);
    if (content) reply.header('content-encoding', encoding);
    void reply.type(HTML).send(content ?? this.plain);
  }
}

async function readIfThere(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
