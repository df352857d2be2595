import { Int32 } from 'bson';
import { MAX_DOCUMENT_BYTES } from '../bson-values.js';
import { assertFields } from '../command-fields.js';
import type { Command } from '../command.js';
import { MAX_MESSAGE_BYTES } from '../wire-protocol.js';

/** MongoDB 7.0's wire version: what this server's commands look like. */
const WIRE_VERSION = 21;
const VERSION = '7.0.0';

/**
 * A standalone server: drivers then neither retry writes nor send transactions, and no member list has to be made up.
 * `logicalSessionTimeoutMinutes` lets clients use sessions, which are accepted and mean nothing here.
 */
export const hello: Command = (body, { connectionId }) => {
  assertFields(body, [
    'helloOk',
    'client',
    'compression',
    'loadBalanced',
    'saslSupportedMechs',
    'topologyVersion',
    'maxAwaitTimeMS',
    'backpressure',
  ]);
  return {
    ...('hello' in body ? { isWritablePrimary: true } : { ismaster: true }),
    helloOk: true,
    maxBsonObjectSize: MAX_DOCUMENT_BYTES,
    maxMessageSizeBytes: MAX_MESSAGE_BYTES,
    maxWriteBatchSize: 100_000,
    localTime: new Date(),
    logicalSessionTimeoutMinutes: 30,
    connectionId,
    minWireVersion: 0,
    maxWireVersion: WIRE_VERSION,
    readOnly: false,
  };
};

export const ping: Command = (body) => {
  assertFields(body, []);
  return {};
};

export const buildInfo: Command = (body) => {
  assertFields(body, []);
  return {
    version: VERSION,
    gitVersion: 'pulso-embedded',
    versionArray: VERSION.split('.')
      .concat('0')
      .map((part) => new Int32(part)),
    bits: 64,
    debug: false,
    maxBsonObjectSize: MAX_DOCUMENT_BYTES,
  };
};

export const endSessions: Command = (body) => {
  assertFields(body, []);
  return {};
};
