import { VALIDATION_MESSAGES } from '@pulso/contracts/limits';
import { z } from 'zod';
import { ERROR_CODES } from '../errors/error-table.js';
import { answer } from '../validation/named-schemas.js';

const fieldErrorSchema = answer(
  'FieldError',
  z.object({
    path: z.string().meta({ description: 'Dotted: `specialties.2`' }),
    message: z.string(),
    code: z.string().meta({
      description:
        'Stable; the table of all codes is in the description above. With the path it says which text `message` is.',
    }),
  }),
  { path: 'email', message: VALIDATION_MESSAGES.email, code: 'invalid-email' },
);

export const problemSchema = answer(
  'Problem',
  z
    .object({
      type: z.string(),
      title: z.string(),
      status: z.int(),
      detail: z.string(),
      code: z
        .enum(ERROR_CODES)
        .meta({ description: 'Stable; the table of all codes is in the description above' }),
      requestId: z.string(),
      errors: z.array(fieldErrorSchema).optional(),
      error: z.string().optional().meta({ description: 'The same as `detail`, under `/api/stripe` alone' }),
    })
    .meta({ description: 'RFC 9457' }),
  {
    type: '/api/docs#error-validation-failed',
    title: 'Invalid input',
    status: 400,
    detail: VALIDATION_MESSAGES.email,
    code: 'validation-failed',
    requestId: '0198f2c0-3b5d-7a94-9e02-4c6d8f1b2a37',
    errors: [{ path: 'email', message: VALIDATION_MESSAGES.email, code: 'invalid-email' }],
  },
);
