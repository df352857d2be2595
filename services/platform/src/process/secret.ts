import { z } from 'zod';

/** Marks a setting that its process and the operators alone may see: none stands in a ConfigMap. */
export const secret = <S extends z.ZodType>(schema: S): S => schema.meta({ secret: true });

/** Whether a setting's schema is marked. @internal for suites and the checks of deploy/kubernetes */
export const isSecret = (schema: z.ZodType): boolean => z.globalRegistry.get(schema)?.['secret'] === true;
