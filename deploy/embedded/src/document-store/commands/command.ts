import type { Document } from 'bson';
import type { Catalog } from '../store/catalog.js';
import type { ScramConversation } from '../wire/scram.js';
import type { CursorRegistry } from './cursor.registry.js';

/** The parts of the server that a command uses. */
export interface CommandContext {
  catalog: Catalog;
  cursors: CursorRegistry;
  connectionId: number;
  login: ScramConversation;
  /** The document sequences that came with the command. */
  sequences: Map<string, Buffer[]>;
}

/** A reply: a document to encode (`ok: 1` is added), or encoded parts. */
export type Reply = Document | Buffer[];

/** `body` has been checked against the allow-list, and has MongoDB's exact number types. */
export type Command = (body: Document, context: CommandContext) => Reply | Promise<Reply>;
