import { Button } from '@mantine/core';
import type { ButtonProps } from '@mantine/core';
import type { Ref } from 'react';
import classes from './busy-button.module.css';

interface BusyButtonProps extends ButtonProps {
  label: string;
  /** The label by default. */
  busyLabel?: string;
  busy: boolean;
  /** There is nothing to submit yet: a press does nothing. */
  idle?: boolean;
  /** The id of the form to submit, where the button stands outside of it. */
  form?: string;
  /** Begins with the label; for one of several buttons with the same label. */
  'aria-label'?: string;
  ref?: Ref<HTMLButtonElement>;
  /** Without it the button submits its form. */
  onClick?: () => void;
}

/**
 * A button for an action that takes time. While busy it keeps its width, and its focus, since it is never `disabled`; a
 * second press is ignored, here or by the form.
 */
export function BusyButton({
  label,
  busyLabel = label,
  busy,
  idle = false,
  onClick,
  ...rest
}: BusyButtonProps) {
  const off = busy || idle;
  return (
    <Button
      {...rest}
      type={onClick ? 'button' : 'submit'}
      aria-busy={busy}
      aria-disabled={off}
      data-disabled={off || undefined}
      onClick={off ? undefined : onClick}
    >
      <span className={classes.label} data-other={busy ? label : busyLabel}>
        {busy ? busyLabel : label}
      </span>
    </Button>
  );
}
