import { useLayoutEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import classes from './act-card.module.css';

interface ActCardProps {
  title: string;
  /** It has been done or refused: what was pressed is gone, and the title gets the focus. */
  isOver: boolean;
  children: ReactNode;
}

/** A page with one act, to which a link of a mail leads. */
export function ActCard({ title, isOver, children }: ActCardProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    if (isOver) heading.current?.focus();
  }, [isOver]);
  return (
    <section className={`card ${classes.page}`}>
      <h1 ref={heading} tabIndex={-1} className={classes.title}>
        {title}
      </h1>
      {children}
    </section>
  );
}

/** Where such a page leads on. */
export function WayOn({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link to={to} className={`text-link ${classes.link}`}>
      {children}
    </Link>
  );
}
