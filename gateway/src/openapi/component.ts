import { z } from 'zod';

interface Component {
  id: string;
}

/** Schemas with a name in the OpenAPI document: what answers are made of, and what bodies are read by. */
export const answers = z.registry<Component>();
export const bodies = z.registry<Component>();
/** An example of each, by name. */
export const examples = new Map<string, unknown>();

export function answer<S extends z.ZodType>(id: string, schema: S, example?: z.output<S>): S {
  answers.add(schema, { id });
  if (example !== undefined) examples.set(id, example);
  return schema;
}

export function body<S extends z.ZodType>(id: string, schema: S, example: z.input<S>): S {
  bodies.add(schema, { id });
  examples.set(id, example);
  return schema;
}
