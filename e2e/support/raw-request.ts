import { request } from 'node:http';

/** How a path is asked for; a GET without headers unless told otherwise. */
export interface Way {
  method?: string;
  headers?: Record<string, string>;
}

export interface RawAnswer {
  status: number;
  /** The Content-Type, or ''. */
  type: string;
  body: Buffer;
}

/** Sends the path as it is, which fetch would normalise, on a connection of its own. */
export function rawRequest(
  url: string,
  path: string,
  { method = 'GET', headers = {} }: Way = {},
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const asked = request({ hostname, port, path, method, headers, agent: false }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('error', reject);
      answer.on('end', () => {
        const { statusCode = 0, headers: given } = answer;
        resolve({ status: statusCode, type: given['content-type'] ?? '', body: Buffer.concat(chunks) });
      });
    });
    asked.on('error', reject);
    asked.end();
  });
}
