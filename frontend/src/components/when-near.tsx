import { Suspense, useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { ErrorBoundary } from './error-boundary.js';

/** How far below the window its content is made already. */
const LOAD_MARGIN = '200px';

/** Makes its content, and loads its code, once it comes near the window. Without the code the page stays as it is. */
export function WhenNear({ className, children }: { className?: string; children: ReactNode }) {
  const anchor = useRef<HTMLDivElement>(null);
  const [near, setNear] = useState(false);
  useEffect(() => {
    if (near || !anchor.current) return;
    const observer = new IntersectionObserver(([entry]) => setNear(entry?.isIntersecting === true), {
      rootMargin: LOAD_MARGIN,
    });
    observer.observe(anchor.current);
    return () => observer.disconnect();
  }, [near]);
  return (
    <div ref={anchor} className={className} data-near={near || undefined}>
      {near && (
        <ErrorBoundary fallback={null}>
          <Suspense fallback={<span />}>{children}</Suspense>
        </ErrorBoundary>
      )}
    </div>
  );
}
