import { ActionIcon, TextInput } from '@mantine/core';
import type { TextInputProps } from '@mantine/core';
import { IconEye, IconEyeOff } from '@tabler/icons-react';
import { useState } from 'react';
import { ruleTexts } from '../validation/texts.js';
import classes from './password-field.module.css';

/**
 * A text input with a button, since Mantine's PasswordInput (9.7) sets no `aria-invalid`, and its button toggles
 * `aria-pressed` where we change the label.
 */
export function PasswordField(props: TextInputProps) {
  const { password } = ruleTexts();
  const [shown, setShown] = useState(false);
  const Icon = shown ? IconEyeOff : IconEye;
  return (
    <TextInput
      {...props}
      type={shown ? 'text' : 'password'}
      autoCapitalize="none"
      spellCheck={false}
      classNames={{ input: classes.input }}
      rightSectionWidth={46}
      rightSection={
        <ActionIcon
          variant="subtle"
          color="gray"
          size={44}
          aria-label={shown ? password.hide : password.show}
          onClick={() => setShown(!shown)}
        >
          <Icon size={20} aria-hidden />
        </ActionIcon>
      }
    />
  );
}
