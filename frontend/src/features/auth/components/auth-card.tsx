import type { ReactNode } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { RETURNING, isReturning } from '../../../server/session/way-back.js';
import classes from './auth-card.module.css';

interface AuthCardProps {
  title: string;
  prompt: string;
  linkTo: string;
  linkText: string;
  children: ReactNode;
}

export function AuthCard({ title, prompt, linkTo, linkText, children }: AuthCardProps) {
  // Login and sign-up lead back to the same place.
  const state = isReturning(useLocation().state) ? RETURNING : undefined;
  return (
    <div className={classes.wrap}>
      <h1 className={classes.title}>{title}</h1>
      <p className={classes.prompt}>
        {prompt}{' '}
        <Link to={linkTo} state={state} className={`text-link ${classes.link}`}>
          {linkText}
        </Link>
      </p>
      <div className="card">{children}</div>
    </div>
  );
}
