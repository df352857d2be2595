import { Button } from '@mantine/core';
import { Component } from 'react';
import type { ReactNode } from 'react';
import { MessagesContext } from '../../i18n/messages.js';
import { retryFailedPages } from '../lazy-page.js';
import classes from './shell.module.css';

interface Props {
  children: ReactNode;
  /** Another value gives the children another chance: the user has gone somewhere. */
  resetKey: string;
}

/** Keeps a page that broke, or whose code has been replaced by a new version, from taking the shell with it. */
export class ErrorBoundary extends Component<Props, { broken: boolean }> {
  static override contextType = MessagesContext;
  declare context: React.ContextType<typeof MessagesContext>;

  override state = { broken: false };

  static getDerivedStateFromError() {
    return { broken: true };
  }

  override componentDidUpdate(previous: Props) {
    if (!this.state.broken || previous.resetKey === this.props.resetKey) return;
    retryFailedPages();
    this.setState({ broken: false });
  }

  override render() {
    if (!this.state.broken) return this.props.children;
    const { app } = this.context;
    return (
      <div className={classes.crash} role="alert">
        <p>{app.crashed}</p>
        <Button onClick={() => location.reload()}>{app.reload}</Button>
      </div>
    );
  }
}
