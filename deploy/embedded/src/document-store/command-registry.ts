import { aggregate, count, distinct } from './commands/aggregate.js';
import {
  create,
  createIndexes,
  drop,
  dropDatabase,
  dropIndexes,
  listCollections,
  listDatabases,
  listIndexes,
} from './commands/collections.js';
import { find, getMore, killCursors } from './commands/find.js';
import { findAndModify } from './commands/find-and-modify.js';
import { buildInfo, endSessions, hello, ping } from './commands/handshake.js';
import { insert } from './commands/insert.js';
import { deleteCommand, update } from './commands/update.js';
import type { Command } from './command.js';

/** Every command this server has; any other is answered with CommandNotFound (59). */
export const COMMANDS: ReadonlyMap<string, Command> = new Map([
  ['hello', hello],
  ['ismaster', hello],
  ['isMaster', hello],
  ['ping', ping],
  ['buildInfo', buildInfo],
  ['buildinfo', buildInfo],
  ['endSessions', endSessions],
  ['find', find],
  ['getMore', getMore],
  ['killCursors', killCursors],
  ['aggregate', aggregate],
  ['count', count],
  ['distinct', distinct],
  ['insert', insert],
  ['update', update],
  ['delete', deleteCommand],
  ['findAndModify', findAndModify],
  ['findandmodify', findAndModify],
  ['create', create],
  ['drop', drop],
  ['dropDatabase', dropDatabase],
  ['listDatabases', listDatabases],
  ['listCollections', listCollections],
  ['listIndexes', listIndexes],
  ['createIndexes', createIndexes],
  ['dropIndexes', dropIndexes],
]);
