import { z } from 'zod';
import { count } from '../user-ref/user-ref.dto.js';
import { answer } from '../validation/named-schemas.js';

const bytes = count.nullable().meta({
  description: 'While it is built, once its document is there; of one that is ready both are its size',
});
const time = z.string().nullable();

export const archiveSchema = answer(
  'Archive',
  z.object({
    status: z.enum(['none', 'building', 'ready', 'failed']),
    doneBytes: bytes,
    totalBytes: bytes,
    documentBytes: count.nullable().meta({
      description:
        'Of one that is ready: the size of its `pulso-export.json`, which whoever imports it reads whole',
    }),
    requestedAt: time,
    readyAt: time,
    expiresAt: time.meta({ description: 'Of one that is ready: then it is deleted' }),
    url: z.string().nullable().meta({
      description:
        'Of one that is ready: a path that opens it for up to an hour, and not longer than it is there, or than this session lasts',
    }),
  }),
  {
    status: 'ready',
    doneBytes: 48_120_334,
    totalBytes: 48_120_334,
    documentBytes: 310_220,
    requestedAt: '2026-11-28T12:00:00.000Z',
    readyAt: '2026-11-28T12:00:09.000Z',
    expiresAt: '2026-12-05T12:00:09.000Z',
    url: '/media/0190a3c4-5b6d-7e8f-9a0b-1c2d3e4f5a6b/archive-0190a3c4-6c7e-7f90-8a1b-2d3e4f5a6b7c?e=0&x=1796040000000&k=k1&s=mac',
  },
);

export type Archive = z.output<typeof archiveSchema>;
