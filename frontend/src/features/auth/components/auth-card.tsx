import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import classes from './auth-card.module.css';

interface AuthCardProps {
  title: string;
  prompt: string;
  linkTo: string;
  linkText: string;
  children: ReactNode;
}

export function AuthCard({ title, prompt, linkTo, linkText, children }: AuthCardProps) {
  return (
    <div className={classes.wrap}>
      <h1 className={classes.title}>{title}</h1>
      <p className={classes.prompt}>
        {prompt}{' '}
        <Link to={linkTo} className={classes.link}>
          {linkText}
        </Link>
      </p>
      <div className="card">{children}</div>
    </div>
  );
}
