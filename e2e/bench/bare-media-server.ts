import { createReadStream, mkdtempSync, rmSync } from 'node:fs';
import { stat, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Busboy } from '@fastify/busboy';
import { renderPicture } from '@pulso/media/picture/render-picture';
import { createAccessTokenVerifier } from '@pulso/platform/auth/access-token';
import { newId } from '@pulso/platform/ids/uuid-v7';
import { systemClock } from '@pulso/platform/time/clock';
import Fastify from 'fastify';
import type { JWK } from 'jose';

/**
 * The reference: a bare Fastify that verifies the same tokens, cached. `POST /rendered` takes a form, brings its picture to
 * the same sizes with the same library, two at a time, and writes the files; `POST /stored` only writes what was sent;
 * `GET /file` reads a file from disk for each answer.
 */
interface Order {
  jwks: JWK[];
  /** What `GET /file` answers, in base64. */
  file: string;
}

const { jwks, file } = await new Promise<Order>((resolve) =>
  process.once('message', (order) => resolve(order as Order)),
);
const directory = mkdtempSync(join(tmpdir(), 'pulso-bench-bare-'));
const path = join(directory, 'file.jpg');
await writeFile(path, Buffer.from(file, 'base64'));
const verifier = createAccessTokenVerifier({ jwks, clock: systemClock });
const app = Fastify();
app.addContentTypeParser('multipart/form-data', (_request, payload, done) => done(null, payload));

let running = 0;
const waiting: (() => void)[] = [];
/** At most two at a time, as media does. */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running === 2) await new Promise<void>((go) => waiting.push(go));
  else running += 1;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}

function fileOf(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const parser = new Busboy({ headers: request.headers as { 'content-type': string } });
    const chunks: Buffer[] = [];
    parser.on('file', (_name, stream) => stream.on('data', (chunk: Buffer) => chunks.push(chunk)));
    parser.on('finish', () => resolve(Buffer.concat(chunks)));
    parser.on('error', reject);
    request.pipe(parser);
  });
}

app.post('/rendered', async (request, reply) => {
  await verifier.verify(request.headers.authorization ?? '');
  const bytes = await fileOf(request.raw);
  const { files, ...picture } = await inTurn(() => renderPicture(bytes, 'post'));
  const id = newId();
  for (const { variant, bytes: made } of files) await writeFile(join(directory, `${id}-${variant}`), made);
  return reply.code(201).send({ id, ...picture });
});
app.post('/stored', async (request, reply) => {
  await verifier.verify(request.headers.authorization ?? '');
  const id = newId();
  await writeFile(join(directory, id), await fileOf(request.raw));
  return reply.code(201).send({ id });
});
app.get('/file', async (_request, reply) => {
  const { size } = await stat(path);
  return reply.type('image/jpeg').header('content-length', size).send(createReadStream(path));
});

const url = await app.listen({ host: '127.0.0.1', port: 0 });
process.once('message', () => {
  void app.close().then(() => {
    rmSync(directory, { recursive: true, force: true });
    process.exit(0);
  });
});
process.send!({ url });
