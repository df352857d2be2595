import type { ArgumentMetadata, PipeTransform } from '@nestjs/common';
import type { z } from 'zod';
import { validationProblem } from '../errors/zod-problem.js';

interface Dto {
  schema: z.ZodType;
}

/**
 * Validates every argument typed with a nestjs-zod DTO. Its own pipe does not report the input, without which a missing
 * field cannot be told from one of the wrong type.
 */
export class ZodPipe implements PipeTransform {
  transform(value: unknown, { metatype }: ArgumentMetadata): unknown {
    const schema = (metatype as unknown as Partial<Dto> | undefined)?.schema;
    if (!schema) return value;
    const parsed = schema.safeParse(value, { reportInput: true });
    if (parsed.success) return parsed.data;
    throw validationProblem(parsed.error);
  }
}
