import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Image, Video } from '@pulso/contracts/media/v1/media';
import type { DemoActs } from './demo-acts.js';
import type { Username } from './people.js';

export interface DemoFile {
  /** Where the demo's files are. */
  folder: string;
  /** Its path in the folder. */
  file: string;
  owner: Username;
}

/** Uploads a picture of the demo as one of its people, to media itself. Resolves to its id. */
export async function uploadPicture(
  acts: DemoActs,
  picture: DemoFile,
  purpose: 'post' | 'avatar',
): Promise<string> {
  const name = basename(picture.file);
  const fields = { purpose, originalName: name };
  return Image.decode(await upload(acts, '/images', { ...picture, type: 'image/jpeg', fields })).facts!.id;
}

/** The same for a video. */
export async function uploadVideo(acts: DemoActs, video: DemoFile): Promise<string> {
  return Video.decode(await upload(acts, '/videos', { ...video, type: 'video/mp4', fields: {} })).facts!.id;
}

async function upload(
  acts: DemoActs,
  path: string,
  { folder, file, owner, type, fields }: DemoFile & { type: string; fields: Record<string, string> },
): Promise<Uint8Array> {
  const bytes = await readFile(join(folder, file));
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('file', new Blob([new Uint8Array(bytes)], { type }), basename(file));
  const answer = await fetch(`http://127.0.0.1:${acts.options.pulso.services.media.bytesPort}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await acts.tokenOf(owner)}` },
    body: form,
  });
  if (answer.status !== 201)
    throw new Error(`${file}: media answered ${answer.status} ${await answer.text()}`);
  return new Uint8Array(await answer.arrayBuffer());
}
