import type { Document } from 'bson';
import { BEFORE_AUTHENTICATION, COMMANDS } from '../rules/allow-list.js';
import { CommandError } from '../rules/command-error.js';
import { aggregate } from './aggregate.js';
import { drop, dropDatabase, listCollections, renameCollection } from './collections.js';
import type { Command, CommandContext, Reply } from './command.js';
import { assertCommand } from './command-fields.js';
import { deleteCommand } from './delete.js';
import { find, getMore, killCursors } from './find.js';
import { findAndModify } from './find-and-modify.js';
import { endSessions, hello, ping, saslContinue, saslStart } from './handshake.js';
import { createIndexes, listIndexes } from './indexes.js';
import { insert } from './insert.js';
import { update } from './update.js';

const IMPLEMENTATIONS: Readonly<Record<keyof typeof COMMANDS, Command>> = {
  hello,
  ismaster: hello,
  saslStart,
  saslContinue,
  ping,
  endSessions,
  find,
  getMore,
  killCursors,
  aggregate,
  insert,
  update,
  delete: deleteCommand,
  findAndModify,
  createIndexes,
  listIndexes,
  listCollections,
  renameCollection,
  drop,
  dropDatabase,
};

/** Runs the command that the body's first field names. @throws CommandNotFound (59), Unauthorized (13) */
export function runCommand(body: Document, context: CommandContext): Reply | Promise<Reply> {
  const name = Object.keys(body)[0] ?? '';
  if (!isCommand(name)) throw new CommandError(59, `no such command: '${name}'`);
  if (!context.login.isDone && !BEFORE_AUTHENTICATION.includes(name)) {
    throw new CommandError(13, `command ${name} requires authentication`);
  }
  assertCommand(name, body, COMMANDS[name]);
  return IMPLEMENTATIONS[name](body, context);
}

function isCommand(name: string): name is keyof typeof COMMANDS {
  return Object.hasOwn(COMMANDS, name);
}
