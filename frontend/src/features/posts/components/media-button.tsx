import type { ComponentType } from 'react';
import actions from '../actions.module.css';
import classes from './publisher.module.css';

interface MediaButtonProps {
  label: string;
  Icon: ComponentType<{ size: number; 'aria-hidden': true }>;
  isOpen: boolean;
  toggle: () => void;
  /** Whether the other panel has something: a post has photos or a video (POST-2). */
  isOff?: boolean;
  preload?: () => void;
}

/** Opens and closes a panel of the text above; one with something in it stays open (UI-18, UI-65). */
export const MediaButton = ({ label, Icon, isOpen, toggle, isOff, preload }: MediaButtonProps) => (
  <button
    type="button"
    className={`${actions.action} ${classes.media}`}
    aria-expanded={isOpen}
    disabled={isOff}
    onPointerEnter={preload}
    onFocus={preload}
    onClick={toggle}
  >
    <Icon size={20} aria-hidden />
    {label}
  </button>
);
