import { TEXT_LIMITS } from '@pulso/contracts/limits';
import { z } from 'zod';
import { text } from '../validation/fields.js';
import { body } from '../validation/named-schemas.js';
import { EXAMPLE } from '../openapi/examples.js';

export const subjectType = z.enum(['user', 'post', 'comment', 'message']);
export const reason = z.enum(['spam', 'harassment', 'nudity', 'danger', 'other']);

export class NewReportBody extends body(
  'NewReport',
  z.strictObject({
    subjectType,
    subjectId: z.string().max(64),
    reason,
    note: text(TEXT_LIMITS.reportNote).default(''),
  }),
  { subjectType: 'post', subjectId: EXAMPLE.postId, reason: 'spam', note: 'The same advert every day.' },
) {}

export type SubjectType = z.output<typeof subjectType>;
export type Reason = z.output<typeof reason>;
