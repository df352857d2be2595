import { readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { hasTag } from '../http/conditional.js';
import { COMPRESSED_SUFFIX, encodingFor, TextFile } from './text-file.js';

const INDEX = 'index.html';
/** Names under it carry a hash of their content, and no page has one there. */
const HASHED = /^assets\//;
/** Below, the headers of the encoding cost more than it saves. */
const COMPRESS_FROM_BYTES = 1024;

/** The built frontend: its files, and its page for every other path (http-api.md, Operations). */
export class StaticFiles {
  private constructor(
    private readonly texts: ReadonlyMap<string, TextFile>,
    private readonly names: ReadonlySet<string>,
  ) {}

  /** Null when nothing has been built at `directory`. */
  static async open(fastify: FastifyInstance, directory: string): Promise<StaticFiles | null> {
    const names = await listFiles(directory);
    const texts = new Map<string, TextFile>();
    for (const name of names) {
      const text = await TextFile.read(join(directory, name));
      if (text) texts.set(name, text);
    }
    if (!texts.has(INDEX)) return null;
    // For pictures, fonts and films, which may be asked for in parts.
    await fastify.register(fastifyStatic, { root: directory, serve: false, cacheControl: false });
    return new StaticFiles(texts, names);
  }

  /** False, with nothing sent, for a build's file that is gone: a page in its place would be taken for a script. */
  send(path: string, request: FastifyRequest, reply: FastifyReply): boolean {
    const name = this.nameOf(path);
    if (name === undefined) return false;
    reply.header(
      'cache-control',
      HASHED.test(name) ? 'public, max-age=31536000, immutable' : 'public, no-cache',
    );
    const text = this.texts.get(name);
    if (text) this.sendText(text, request, reply);
    else void reply.sendFile(name);
    return true;
  }

  private sendText(text: TextFile, request: FastifyRequest, reply: FastifyReply): void {
    reply.header('vary', 'accept-encoding').header('etag', text.etag);
    if (hasTag(request.headers['if-none-match'], text.etag)) {
      void reply.code(304).send();
      return;
    }
    reply.type(text.type);
    const encoding = encodingFor(request.headers['accept-encoding']);
    if (encoding === undefined || text.content.length < COMPRESS_FROM_BYTES) {
      void reply.send(text.content);
      return;
    }
    text.as(encoding).then(
      (content) => reply.header('content-encoding', encoding).send(content),
      (error: Error) => reply.send(error),
    );
  }

  /** Only what was there at the start is served: a path leads nowhere else. */
  private nameOf(path: string): string | undefined {
    try {
      const name = decodeURIComponent(path.slice(1));
      if (this.names.has(name)) return name;
      return HASHED.test(name) ? undefined : INDEX;
    } catch {
      return INDEX;
    }
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
  const suffixes = Object.values(COMPRESSED_SUFFIX);
  const files = entries.filter(
    (entry) => entry.isFile() && !suffixes.some((suffix) => entry.name.endsWith(suffix)),
  );
  return new Set(
    files.map((file) => relative(directory, join(file.parentPath, file.name)).replaceAll(sep, '/')),
  );
}
