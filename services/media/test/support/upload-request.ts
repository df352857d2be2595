import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';

interface Upload {
  purpose: string;
  file: Buffer;
  /** Without a Content-Length. */
  isOpenEnded?: boolean;
}

/** The request of an upload, as media's listener gets it. */
export function uploadRequest({ purpose, file, isOpenEnded = false }: Upload): IncomingMessage {
  const body = formBytes(purpose, file);
  const headers = {
    'content-type': 'multipart/form-data; boundary=b',
    ...(!isOpenEnded && { 'content-length': `${body.length}` }),
  };
  return Object.assign(Readable.from([body]), { headers }) as unknown as IncomingMessage;
}

function formBytes(purpose: string, file: Buffer): Buffer {
  const field = `--b\r\nContent-Disposition: form-data; name="purpose"\r\n\r\n${purpose}\r\n`;
  const head = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\n\r\n';
  return Buffer.concat([Buffer.from(field + head), file, Buffer.from('\r\n--b--\r\n')]);
}
