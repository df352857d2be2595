import { z } from 'zod';

const count = z.number().int().min(1).max(1_000).default(1);
const ms = z.number().int().min(0).max(3_600_000);

/** What happens to the next requests of the API. */
export const faultSchema = z.strictObject({
  /**
   * `status`: answered with an error instead of its effect, with `after` behind it; `hang`: the effect is there, the answer
   * never comes and after `ms` the connection ends; `slow`: the answer comes after `ms`; `reset`: the effect is there and the
   * connection ends at once.
   */
  kind: z.enum(['status', 'hang', 'slow', 'reset']),
  count,
  status: z.number().int().min(400).max(599).default(500),
  after: z.boolean().default(false),
  /** Of a `status`: as if the request's key had been used with other parameters. */
  type: z.literal('idempotency_error').optional(),
  /** Whether Stripe repeats this error under the request's idempotency key; it does with those from 500 on. */
  saved: z.boolean().optional(),
  ms: ms.default(30_000),
  method: z.enum(['GET', 'POST', 'DELETE']).optional(),
  /** Begins the request's path, such as `/v1/refunds`. */
  path: z
    .string()
    .regex(/^\/v[12]/)
    .optional(),
});

/** What happens to the webhooks of the next events. */
export const webhookRuleSchema = z.strictObject({
  /** `delay`: by `ms`; `reorder`: `count` events are sent after `ms`, the last one first. */
  kind: z.enum(['duplicate', 'drop', 'delay', 'reorder']),
  count,
  ms: ms.default(2_000),
  /** Of these events only; `invoice.*` stands for all that begin so. */
  type: z.string().min(1).optional(),
});

export type Fault = z.output<typeof faultSchema> & { id: string };
export type WebhookRule = z.output<typeof webhookRuleSchema> & {
  id: string;
  /** Of `reorder`: when its events are sent, by the machine's clock; 0 until the first one. */
  until: number;
};
