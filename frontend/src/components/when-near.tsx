import { Suspense, use, useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { ErrorBoundary } from './error-boundary.js';
import { useHydrated } from './use-hydrated.js';
import { watchNear } from './watch-near.js';

/** How far below the window its content is made already. */
const LOAD_MARGIN = '200px';

function aMoment() {
  let come!: () => void;
  const moment = new Promise<void>((resolve) => (come = resolve));
  return { moment, come };
}

function Once({ moment, children }: { moment: Promise<void>; children: ReactNode }) {
  use(moment);
  return children;
}

/**
 * Makes its content, and loads its code, once it comes near the window. What the server has rendered stays until then, and comes to
 * life then. Without the code the page stays as it is. `children` are those of the first render.
 */
export function WhenNear({ className, children }: { className?: string; children: ReactNode }) {
  const anchor = useRef<HTMLDivElement>(null);
  const hydrated = useHydrated();
  const [rendered] = useState(!hydrated);
  const [near, setNear] = useState(rendered);
  const [{ moment, come }] = useState(aMoment);
  // One element, whatever is rendered again: React would make anew what has not come to life yet.
  const [content] = useState(
    <ErrorBoundary fallback={null}>
      <Suspense fallback={<span />}>
        <Once moment={moment}>{children}</Once>
      </Suspense>
    </ErrorBoundary>,
  );
  useEffect(() => {
    const end = watchNear(anchor.current!, LOAD_MARGIN, () => {
      come();
      setNear(true);
      end();
    });
    return end;
  }, [come]);
  return (
    <div ref={anchor} className={className} data-near={near || undefined}>
      {near && content}
    </div>
  );
}
