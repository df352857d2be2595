import { aBlob } from './a-file.js';
import { readDocument } from '../src/features/archive/importing/read-document.js';
import type { OpenedArchive } from '../src/features/archive/importing/read-archive.js';

type Rows = Readonly<Record<string, readonly object[]>>;

/** What an export of `ana` looks like, with these rows of its services. */
export const aDocument = (services: Readonly<Record<string, Rows>> = {}, over: object = {}) => ({
  format: 'pulso-export',
  version: 1,
  userId: 'ana',
  exportedAt: '2026-11-20T10:00:00.000Z',
  services: {
    identity: { account: [{ id: 'ana', name: 'Ana', bio: '', isCoach: false, specialties: [] }] },
    ...services,
  },
  complete: true,
  ...over,
});

export const aSourcePost = (id: string, over: object = {}) => ({
  ...{ id, content: `Text of ${id}`, visibility: 'public', images: [], mentionedIds: [] },
  createdAt: '2026-11-01T10:00:00.000Z',
  ...over,
});

export const aSourceComment = (id: string, postId: string, over: object = {}) => ({
  ...{ id, postId, content: `Comment ${id}`, createdAt: '2026-11-02T10:00:00.000Z' },
  ...over,
});

/** An opened archive of this document, with these files. */
export function anArchive(document: unknown, files: Readonly<Record<string, Blob>> = {}): OpenedArchive {
  return {
    source: readDocument(document),
    sizeOf: (id) => files[id]?.size,
    read: async (id) => files[id] ?? aBlob(''),
  };
}
