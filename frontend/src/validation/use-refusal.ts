import { useState } from 'react';
import { written } from '../text/written.js';

/** Of a field that is sent by itself, without a form: why the server refused its text, for as long as that stands there. */
export function useRefusal(text: string) {
  const [refused, setRefused] = useState<{ text: string; reason: string | undefined }>();
  return {
    reason: refused?.text === written(text) ? refused.reason : undefined,
    /** `sent` was refused; without a reason nothing is shown. */
    refuse: (sent: string, reason: string | undefined) => setRefused({ text: sent, reason }),
  };
}
