import { z } from 'zod';

interface Component {
  id: string;
}

/** Schemas with a name in the OpenAPI document: what answers are made of, and what bodies are read by. */
export const answers = z.registry<Component>();
export const bodies = z.registry<Component>();
/** An example of each, by name. */
export const examples = new Map<string, unknown>();

export function answer<S extends z.ZodType>(id: string, schema: S, example: z.output<S>): S {
  answers.add(schema, { id });
  examples.set(id, example);
  return schema;
}

/** What a handler's parameter is typed with: the pipe and the document find the schema there. */
export interface BodyClass<S extends z.ZodType = z.ZodType> {
  new (): z.output<S>;
  readonly schema: S;
}

/** `class NewPostBody extends body('NewPost', schema, example) {}` is the schema's output, validated. */
export function body<S extends z.ZodType>(id: string, schema: S, example: z.input<S>): BodyClass<S> {
  bodies.add(schema, { id });
  examples.set(id, example);
  // No instance is ever made: handlers get the schema's output, and the class only gives it a type.
  return class {
    static readonly schema = schema;
  } as unknown as BodyClass<S>;
}

export function isBodyClass(type: unknown): type is BodyClass {
  return typeof type === 'function' && bodies.has((type as Partial<BodyClass>).schema as z.ZodType);
}
