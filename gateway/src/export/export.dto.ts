import { z } from 'zod';
import { answer } from '../validation/named-schemas.js';

/** Changes when a field goes or means something else (ADR 21). */
export const EXPORT_VERSION = 1;

const rows = z.array(z.record(z.string(), z.unknown()));

export const exportSchema = answer(
  'Export',
  z.object({
    format: z.literal('pulso-export'),
    version: z.literal(EXPORT_VERSION),
    userId: z.string(),
    exportedAt: z.string(),
    services: z
      .record(z.string(), z.record(z.string(), rows))
      .meta({ description: 'By service and kind; a kind without rows is missing' }),
    complete: z.literal(true).meta({ description: 'The last field: without it the document is cut' }),
  }),
  {
    format: 'pulso-export',
    version: EXPORT_VERSION,
    userId: '0190a3c4-5b6d-7e8f-9a0b-1c2d3e4f5a6b',
    exportedAt: '2026-11-28T12:00:00.000Z',
    services: { posts: { comments: [{ content: 'Well done!' }] } },
    complete: true,
  },
);
