import { client, unwrap } from '../../../server/client/client.js';
import { useIdempotencyKey } from '../../../server/http/idempotency.js';
import { useSingleMutation } from '../../../server/queries/use-single-mutation.js';

export const REASONS = ['spam', 'harassment', 'nudity', 'danger', 'other'] as const;
export type Reason = (typeof REASONS)[number];

export type SubjectType = 'user' | 'post' | 'comment' | 'message';

export interface Report {
  subjectType: SubjectType;
  subjectId: string;
  reason: Reason;
  note: string;
}

interface Outcome {
  onSent: () => void;
  onFailed: (error: Error) => void;
}

/** POST /api/reports. The callbacks run even if the dialog has been closed. */
export function useSendReport({ onSent, onFailed }: Outcome) {
  const idempotency = useIdempotencyKey();
  return useSingleMutation({
    mutationFn: (body: Report) =>
      unwrap(
        client.POST('/api/reports', {
          params: { header: { 'Idempotency-Key': idempotency.keyFor(body) } },
          body,
        }),
      ),
    onSuccess: () => {
      idempotency.done();
      onSent();
    },
    onError: onFailed,
  });
}
