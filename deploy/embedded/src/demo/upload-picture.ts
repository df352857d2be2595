import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Image } from '@pulso/contracts/media/v1/media';
import type { DemoActs } from './demo-acts.js';
import type { Username } from './people.js';

/** Uploads a file of the demo as one of its people, to media itself. Resolves to its id. */
export async function uploadPicture(
  acts: DemoActs,
  {
    folder,
    file,
    owner,
    purpose,
  }: { folder: string; file: string; owner: Username; purpose: 'post' | 'avatar' },
): Promise<string> {
  const bytes = await readFile(join(folder, file));
  const form = new FormData();
  form.append('purpose', purpose);
  form.append('originalName', basename(file));
  form.append('originalSize', `${bytes.length}`);
  form.append('file', new Blob([new Uint8Array(bytes)], { type: 'image/jpeg' }), basename(file));
  const answer = await fetch(`http://127.0.0.1:${acts.options.pulso.services.media.bytesPort}/images`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await acts.tokenOf(owner)}` },
    body: form,
  });
  if (answer.status !== 201)
    throw new Error(`${file}: media answered ${answer.status} ${await answer.text()}`);
  return Image.decode(new Uint8Array(await answer.arrayBuffer())).facts!.id;
}
