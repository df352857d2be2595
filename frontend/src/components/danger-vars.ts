const RED = {
  root: {
    '--button-bg': 'var(--pulso-danger)',
    '--button-hover': 'var(--pulso-danger)',
    '--button-color': 'var(--pulso-on-danger)',
  },
};

/** For `vars` of a button that does what cannot be undone: white on red, in both themes. */
export const dangerVars = () => RED;
