import type { ArgumentMetadata, PipeTransform } from '@nestjs/common';
import { textOf, validationProblem } from '../errors/zod-problem.js';
import { isBodyClass } from './named-schemas.js';

/** Validates every argument that is typed with a body class. */
export class ZodPipe implements PipeTransform {
  transform(value: unknown, { metatype }: ArgumentMetadata): unknown {
    if (!isBodyClass(metatype)) return value;
    // The issue needs its input to tell a missing field from one of the wrong type.
    const parsed = metatype.schema.safeParse(value, { reportInput: true, error: textOf });
    if (parsed.success) return parsed.data;
    throw validationProblem(parsed.error);
  }
}
