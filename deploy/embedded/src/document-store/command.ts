import type { Document } from 'bson';
import type { Catalog } from './catalog.js';
import type { CursorRegistry } from './cursor.registry.js';

/** What a command works on. */
export interface CommandContext {
  catalog: Catalog;
  cursors: CursorRegistry;
  connectionId: number;
  /** The document sequences that came with the command. */
  sequences: Map<string, Buffer[]>;
}

/** A reply: a document to encode (`ok: 1` is added), or encoded parts. */
export type Reply = Document | Buffer[];

/** `body` has MongoDB's exact number types; its first field is the command's name. */
export type Command = (body: Document, context: CommandContext) => Reply | Promise<Reply>;
