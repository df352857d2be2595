import { Suspense } from 'react';
import type { ReactNode } from 'react';

/** Its content, as it comes to life in the browser once it is near the window. */
export const WhenNear = ({ className, children }: { className?: string; children: ReactNode }) => (
  <div className={className} data-near>
    <Suspense fallback={<span />}>{children}</Suspense>
  </div>
);
