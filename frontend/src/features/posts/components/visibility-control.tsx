import { IconLock, IconWorld } from '@tabler/icons-react';
import { useId } from 'react';
import type { Visibility } from '../../../api/types.js';
import { usePostTexts } from '../texts.js';
import classes from '../choice.module.css';

interface VisibilityControlProps {
  value: Visibility;
  onChange: (visibility: Visibility) => void;
}

/** Chooses who may read a post; for coaches only. */
export function VisibilityControl({ value, onChange }: VisibilityControlProps) {
  const { publisher } = usePostTexts();
  const name = useId();
  const options = [
    { visibility: 'public', text: publisher.public, Icon: IconWorld },
    { visibility: 'subscribers', text: publisher.subscribers, Icon: IconLock },
  ] as const;
  return (
    <fieldset className={classes.control}>
      <legend className="visually-hidden">{publisher.visibility}</legend>
      {options.map(({ visibility, text, Icon }) => (
        <label key={visibility} className={classes.option}>
          <input
            type="radio"
            name={name}
            value={visibility}
            checked={value === visibility}
            onChange={() => onChange(visibility)}
          />
          <Icon size={18} aria-hidden />
          {text}
        </label>
      ))}
    </fieldset>
  );
}
