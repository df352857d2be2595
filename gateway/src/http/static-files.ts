import { readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Page } from './page.js';

const INDEX = 'index.html';
/** Names under it carry a hash of their content, and no page has one there. */
const HASHED = /^assets\//;
/** What the build has compressed is sent in place of the file beside it, never by its own name. */
const COMPRESSED = /\.(br|gz)$/;

/** The built frontend: its files, and its page for every other path (HTTP-26). */
export class StaticFiles {
  private constructor(
    private readonly names: ReadonlySet<string>,
    private readonly page: Page,
  ) {}

  /** Null when nothing has been built at `directory`. */
  static async open(fastify: FastifyInstance, directory: string): Promise<StaticFiles | null> {
    const names = await listFiles(directory);
    if (!names.has(INDEX)) return null;
    await fastify.register(fastifyStatic, {
      root: directory,
      serve: false,
      preCompressed: true,
      cacheControl: false,
    });
    return new StaticFiles(names, await Page.read(join(directory, INDEX)));
  }

  /** False, with nothing sent, for a build's file that is gone: a page in its place would be taken for a script. */
  send(path: string, request: FastifyRequest, reply: FastifyReply): boolean {
    const name = this.nameOf(path);
    if (name === undefined) return false;
    reply.header('vary', 'accept-encoding');
    reply.header(
      'cache-control',
      HASHED.test(name) ? 'public, max-age=31536000, immutable' : 'public, no-cache',
    );
    if (name === INDEX) this.page.send(request, reply);
    else void reply.sendFile(name);
    return true;
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
  const files = entries.filter((entry) => entry.isFile() && !COMPRESSED.test(entry.name));
  return new Set(
    files.map((file) => relative(directory, join(file.parentPath, file.name)).replaceAll(sep, '/')),
  );
}
