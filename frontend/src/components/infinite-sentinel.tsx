import { Button } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useMessages } from '../i18n/messages.js';

interface InfiniteSentinelProps {
  hasMore: boolean;
  busy: boolean;
  failed: boolean;
  onMore: () => void;
}

/** Loads the next page near the end of the list. Its button does so by keyboard, and retries after an error. */
export function InfiniteSentinel({ hasMore, busy, failed, onMore }: InfiniteSentinelProps) {
  const { app } = useMessages();
  const end = useRef<HTMLDivElement>(null);
  const more = useRef(onMore);
  useEffect(() => {
    more.current = onMore;
  });

  const watching = hasMore && !busy && !failed;
  useEffect(() => {
    if (!watching || !end.current) return;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) more.current();
      },
      { rootMargin: '800px' },
    );
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [watching]);

  if (!hasMore) return null;
  return (
    <div
      ref={end}
      style={{ display: 'grid', placeItems: 'center', minHeight: 64 }}
      role={failed ? 'alert' : undefined}
    >
      {failed && <p>{app.loadFailed}</p>}
      <Button variant="subtle" color="gray" loading={busy} onClick={onMore}>
        {failed ? app.retry : app.loadMore}
      </Button>
    </div>
  );
}
