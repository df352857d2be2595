import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request as httpRequest } from 'node:http';

export interface NewUpload {
  length: number | string;
  name?: string;
  type?: string | null;
  key?: string;
  headers?: Record<string, string>;
}

const base64 = (text: string) => Buffer.from(text).toString('base64');

/** A client of tus 1.0 that says what it is told, also what no library would. */
export class TusClient {
  constructor(
    private readonly base: string,
    /** Made anew for each request, as time may have gone on. */
    private readonly authorization: () => Promise<string>,
    /** Where uploads are at this base. */
    private readonly path = '/uploads',
  ) {}

  async ask(
    method: string,
    id: string,
    headers: Record<string, string> = {},
    body?: Uint8Array,
  ): Promise<Response> {
    const authorization = await this.authorization();
    return fetch(this.urlOf(id), {
      method,
      headers: { authorization, 'tus-resumable': '1.0.0', ...headers },
      body: body as Uint8Array<ArrayBuffer>,
    });
  }

  create({ length, name = 'clip.mp4', type = 'video/mp4', key, headers = {} }: NewUpload): Promise<Response> {
    const metadata = [`filename ${base64(name)}`, ...(type === null ? [] : [`filetype ${base64(type)}`])];
    return this.ask('POST', '', {
      'upload-length': `${length}`,
      'upload-metadata': metadata.join(','),
      ...(key !== undefined && { 'idempotency-key': key }),
      ...headers,
    });
  }

  /** The id of a new upload. */
  async begin(upload: NewUpload): Promise<string> {
    const response = await this.create(upload);
    if (response.status !== 201) throw new Error(`${response.status}: ${await response.text()}`);
    return response.headers.get('location')!.split('/').at(-1)!;
  }

  patch(id: string, offset: number | string, bytes: Uint8Array, headers: Record<string, string> = {}) {
    const type = 'application/offset+octet-stream';
    return this.ask('PATCH', id, { 'content-type': type, 'upload-offset': `${offset}`, ...headers }, bytes);
  }

  /** Undefined where there is no such upload. */
  async offsetOf(id: string): Promise<number | undefined> {
    const response = await this.ask('HEAD', id);
    return response.status === 200 ? Number(response.headers.get('upload-offset')) : undefined;
  }

  /** A PATCH whose body the test writes, with its whole length announced. */
  async slowPatch(
    id: string,
    offset: number,
    length: number,
  ): Promise<{ request: ClientRequest; answer: Promise<number> }> {
    const authorization = await this.authorization();
    const request = httpRequest(this.urlOf(id), {
      method: 'PATCH',
      headers: {
        ...{ authorization, 'tus-resumable': '1.0.0' },
        ...{ 'content-type': 'application/offset+octet-stream', 'upload-offset': `${offset}` },
        'content-length': `${length}`,
      },
    });
    request.on('error', () => undefined);
    const answer = once(request, 'response').then(([response]: IncomingMessage[]) => {
      response!.resume();
      return response!.statusCode!;
    });
    answer.catch(() => undefined);
    return { request, answer };
  }

  private urlOf(id: string): string {
    return `${this.base}${this.path}${id === '' ? '' : `/${id}`}`;
  }
}
