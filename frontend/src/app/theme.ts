import { createTheme, defaultVariantColorsResolver, localStorageColorSchemeManager } from '@mantine/core';
import type { CSSVariablesResolver, MantineColorsTuple, VariantColorsResolver } from '@mantine/core';

/** The accent, for the main action, unread badges and likes alone. Shade 7 carries white text at 4.7:1, shade 4 ink at 6.5:1. */
const coral: MantineColorsTuple = [
  '#fff1ee',
  '#ffdfd9',
  '#fdbdb1',
  '#fa9a89',
  '#f47c68',
  '#ee644d',
  '#e8503a',
  '#cf412b',
  '#a62d1c',
  '#822316',
];

/** Slightly warm greys. */
const gray: MantineColorsTuple = [
  '#faf8f6',
  '#f4f1ee',
  '#eae6e1',
  '#dcd6d0',
  '#c9c2bb',
  '#9c938b',
  '#6b625b',
  '#544c46',
  '#38322e',
  '#1f1b18',
];

const dark: MantineColorsTuple = [
  '#ede7e1',
  '#cfc7bf',
  '#a99f96',
  '#8b8179',
  '#4b443f',
  '#3a3430',
  '#2c2724',
  '#211d1b',
  '#171412',
  '#100e0d',
];

const green: MantineColorsTuple = [
  '#eefaf2',
  '#d9f2e2',
  '#b0e4c4',
  '#84d5a3',
  '#5fc888',
  '#45bc75',
  '#2e9d5c',
  '#1f7a46',
  '#176036',
  '#0f4827',
];

/** Mantine computes a filled button's text colour for the light theme only; the variable covers both themes. */
const variantColorResolver: VariantColorsResolver = (input) => {
  const colors = defaultVariantColorsResolver(input);
  const primary =
    input.variant === 'filled' && (input.color ?? input.theme.primaryColor) === input.theme.primaryColor;
  return primary ? { ...colors, color: 'var(--mantine-primary-color-contrast)' } : colors;
};

/** The minimum size of a touch target. */
const TARGET = '44px';

export const theme = createTheme({
  colors: { coral, gray, dark, green },
  primaryColor: 'coral',
  primaryShade: { light: 7, dark: 4 },
  autoContrast: true,
  variantColorResolver,
  luminanceThreshold: 0.3,
  black: '#1f1b18',
  fontFamily: "'Figtree Variable', 'Figtree Fallback', system-ui, -apple-system, 'Segoe UI', sans-serif",
  headings: {
    fontFamily: "'Figtree Variable', 'Figtree Fallback', system-ui, -apple-system, 'Segoe UI', sans-serif",
    fontWeight: '650',
  },
  fontSizes: { xs: '0.8125rem', sm: '0.875rem', md: '1rem', lg: '1.125rem', xl: '1.375rem' },
  lineHeights: { xs: '1.4', sm: '1.45', md: '1.5', lg: '1.5', xl: '1.35' },
  spacing: { xs: '0.5rem', sm: '0.75rem', md: '1rem', lg: '1.25rem', xl: '2rem' },
  radius: { xs: '4px', sm: '6px', md: '8px', lg: '12px', xl: '20px' },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    // Plain objects: `Button.extend` would import each of these components into the first load.
    Button: {
      defaultProps: { size: 'md' },
      vars: (_: unknown, { size }: { size?: string }) => ({
        root: size === 'lg' ? {} : { '--button-height': TARGET },
      }),
    },
    Input: { vars: () => ({ wrapper: { '--input-height': TARGET } }) },
    InputWrapper: {
      styles: { label: { marginBottom: 4 }, description: { marginBottom: 2 } },
    },
    // Not in a portal, which would be outside of the page's landmarks, and without the focus placeholder, which is not a
    // menu item.
    Menu: {
      defaultProps: { withinPortal: false, withInitialFocusPlaceholder: false },
      styles: {
        dropdown: {
          background: 'var(--pulso-surface)',
          borderColor: 'var(--mantine-color-default-border)',
        },
        item: { minHeight: TARGET, fontSize: '1rem' },
        itemLabel: { minWidth: 0 },
      },
    },
    // Ink: the accent is for the main action.
    Checkbox: {
      defaultProps: { size: 'md' },
      vars: () => ({
        root: {
          '--checkbox-color': 'var(--mantine-color-text)',
          '--checkbox-icon-color': 'var(--mantine-color-body)',
        },
      }),
    },
    Switch: { defaultProps: { size: 'md', color: 'gray.6' } },
    TextInput: { defaultProps: { size: 'md' } },
    NativeSelect: { defaultProps: { size: 'md' } },
    Textarea: { defaultProps: { size: 'md' } },
  },
});

/** Colours that Mantine does not define, and its own that have a contrast below 4.5:1. */
export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-body': '#faf8f6',
    '--mantine-color-text': '#1f1b18',
    '--mantine-color-dimmed': '#6b625b',
    '--mantine-color-placeholder': '#746b64',
    '--mantine-color-error': '#b42318',
    '--mantine-color-anchor': '#1f1b18',
    '--mantine-color-default-border': '#dcd6d0',
    // What the viewer wrote, in a conversation.
    '--pulso-bubble': '#38322e',
    '--pulso-on-bubble': '#faf8f6',
    '--pulso-surface': '#ffffff',
    '--pulso-sunken': '#f4f1ee',
    '--pulso-hairline': '#e6e1dc',
    // Marks and hearts have 3.7:1 on a card; text in the accent, such as a count of likes, 4.7:1.
    '--pulso-mark': '#e8503a',
    '--pulso-accent': '#cf412b',
    '--pulso-underline': '#9c938b',
    '--pulso-link-hover': '#b43220',
    // Dark, so that focus does not look like an error.
    '--pulso-focus': '#1f1b18',
    '--pulso-success': '#1a6b3c',
    '--pulso-warning': '#8a5300',
    '--pulso-error': '#b42318',
    '--pulso-error-soft': '#fdecea',
    // A button whose effect cannot be undone.
    '--pulso-danger': '#b42318',
    '--pulso-on-danger': '#ffffff',
    '--pulso-star': '#38322e',
    '--pulso-backdrop': 'rgb(31 27 24 / 45%)',
    // The colour of the body under the backdrop.
    '--pulso-behind-backdrop': '#989592',
  },
  dark: {
    '--mantine-color-body': '#171412',
    '--mantine-color-text': '#ede7e1',
    '--mantine-color-dimmed': '#a99f96',
    '--mantine-color-placeholder': '#978d84',
    '--mantine-color-error': '#ff9a8d',
    '--mantine-color-anchor': '#ede7e1',
    '--mantine-color-default': '#211d1b',
    '--mantine-color-default-hover': '#2c2724',
    '--mantine-color-default-border': '#3a3430',
    '--pulso-bubble': '#4b443f',
    '--pulso-on-bubble': '#f6f1ec',
    '--pulso-surface': '#1e1a18',
    '--pulso-sunken': '#272220',
    '--pulso-hairline': '#322d29',
    '--pulso-mark': '#f47c68',
    '--pulso-accent': '#f58e7c',
    '--pulso-underline': '#8b8179',
    '--pulso-link-hover': '#f58e7c',
    '--pulso-focus': '#ede7e1',
    '--pulso-success': '#6fd197',
    '--pulso-warning': '#f0b45a',
    '--pulso-error': '#ff9a8d',
    '--pulso-error-soft': '#3a2120',
    '--pulso-danger': '#d92d20',
    '--pulso-on-danger': '#ffffff',
    '--pulso-star': '#ede7e1',
    '--pulso-backdrop': 'rgb(8 6 5 / 65%)',
    '--pulso-behind-backdrop': '#0d0b0a',
  },
});

/** color-scheme.js reads the same key. */
export const colorSchemeManager = localStorageColorSchemeManager({ key: 'pulso.color-scheme' });
