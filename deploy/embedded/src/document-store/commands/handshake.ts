import { Binary, Int32, type Document } from 'bson';
import { MAX_DOCUMENT_BYTES } from '../values/bson-values.js';
import { SCRAM_MECHANISM } from '../wire/scram.js';
import { MAX_MESSAGE_BYTES } from '../wire/wire-protocol.js';
import type { Command, CommandContext } from './command.js';

/** The wire version of MongoDB 7.0, whose commands this server implements. */
const WIRE_VERSION = 21;

/**
 * A standalone server: drivers then neither retry writes nor send transactions, and no member list has to be faked.
 * Without `logicalSessionTimeoutMinutes` clients send no sessions, which would have no effect here, with each command.
 */
export const hello: Command = (body, context) => {
  const speculative = body['speculativeAuthenticate'] as Document | undefined;
  return {
    ...('hello' in body ? { isWritablePrimary: true } : { ismaster: true }),
    helloOk: true,
    maxBsonObjectSize: MAX_DOCUMENT_BYTES,
    maxMessageSizeBytes: MAX_MESSAGE_BYTES,
    maxWriteBatchSize: 100_000,
    localTime: new Date(),
    connectionId: context.connectionId,
    minWireVersion: 0,
    maxWireVersion: WIRE_VERSION,
    readOnly: false,
    ...('saslSupportedMechs' in body && { saslSupportedMechs: [SCRAM_MECHANISM] }),
    ...(speculative && { speculativeAuthenticate: startLogin(speculative, context) }),
  };
};

export const saslStart: Command = (body, context) => startLogin(body, context);

export const saslContinue: Command = (body, { login }) =>
  saslReply(login.finish(payloadOf(body)), login.isDone);

function startLogin(body: Document, { login }: CommandContext): Document {
  return saslReply(login.start(String(body['mechanism']), payloadOf(body)), false);
}

function payloadOf(body: Document): string {
  const payload: unknown = body['payload'];
  return payload instanceof Binary ? Buffer.from(payload.value()).toString() : '';
}

function saslReply(payload: string, done: boolean): Document {
  return { conversationId: new Int32(1), done, payload: new Binary(Buffer.from(payload)) };
}

export const ping: Command = () => ({});

export const endSessions: Command = () => ({});
