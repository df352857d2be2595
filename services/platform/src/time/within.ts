import { DomainError } from '../errors/domain-error.js';

/**
 * What `work` resolves to, or a DomainError `deadline-exceeded` after `ms` milliseconds. The work goes on nevertheless: its
 * later failure goes to `late`.
 */
export async function within<T>(
  ms: number,
  what: string,
  work: () => Promise<T>,
  late: (error: unknown) => void,
): Promise<T> {
  let isLate = false;
  let timer: NodeJS.Timeout | undefined;
  const overrun = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      isLate = true;
      reject(new DomainError('deadline-exceeded', `${what} took longer than ${ms} ms`));
    }, ms);
  });
  const working = work();
  working.catch((error: unknown) => {
    if (isLate) late(error);
  });
  try {
    return await Promise.race([working, overrun]);
  } finally {
    clearTimeout(timer);
  }
}
