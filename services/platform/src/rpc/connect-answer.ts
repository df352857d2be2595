import { z } from 'zod';
import { CONNECT_CODES, codeOfHttpStatus } from '../errors/connect-code.js';
import { metadataOf } from './connect-metadata.js';
import { ERROR_TYPE, MESSAGE_TYPE } from './connect-protocol.js';
import type { RpcAnswer } from './rpc-channel.js';
import { RpcStatusError } from './rpc-status.js';

export interface ReceivedAnswer {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Buffer;
}

/** The replica leaves and has not taken the call. */
export const NOT_BEGUN = Symbol('not begun');

const REQUEST_TIMEOUT = 408;
const errorSchema = z.object({ code: z.enum(CONNECT_CODES), message: z.string().default('') });

export function answerOf({
  status,
  headers,
  body,
}: ReceivedAnswer): RpcAnswer | RpcStatusError | typeof NOT_BEGUN {
  if (status === REQUEST_TIMEOUT) return NOT_BEGUN;
  const metadata = metadataOf(headers);
  const type = metadata['content-type'];
  if (status === 200) {
    if (type === MESSAGE_TYPE) return { message: body, metadata };
    return new RpcStatusError('unknown', `An answer of the type ${type}`);
  }
  const error = type === ERROR_TYPE ? errorIn(body) : undefined;
  if (error) return new RpcStatusError(error.code, error.message, metadata);
  return new RpcStatusError(codeOfHttpStatus(status), `An answer with the status ${status}`);
}

/** Undefined if something other than a service has answered, such as a proxy. */
function errorIn(body: Buffer): z.output<typeof errorSchema> | undefined {
  try {
    return errorSchema.safeParse(JSON.parse(body.toString())).data;
  } catch {
    return undefined;
  }
}
