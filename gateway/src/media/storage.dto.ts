import { z } from 'zod';
import { answer } from '../validation/named-schemas.js';
import { count } from '../user-ref/user-ref.dto.js';

export const exampleStorage = { quotaBytes: 524_288_000, bytesUsed: 0 };

export const storageSchema = answer(
  'StorageUsage',
  z.object({
    quotaBytes: count,
    bytesUsed: count.nullable().meta({
      description:
        'With running uploads; null: the service that knows is not available, or was not asked (login, refresh)',
    }),
  }),
  exampleStorage,
);

export type StorageUsage = z.output<typeof storageSchema>;
