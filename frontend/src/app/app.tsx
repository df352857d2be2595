import { MantineProvider } from '@mantine/core';
import type { ComponentType, ReactNode } from 'react';
import { BrowserRouter } from 'react-router-dom';
import { NavigatesOnceLeft } from '../components/back-closes.js';
import { AppRoutes } from './routes.js';
import { colorSchemeManager, theme } from './theme.js';

/** @param Router gives the address: the browser's, or that of the page being rendered */
export function App({ Router = BrowserRouter }: { Router?: ComponentType<{ children: ReactNode }> }) {
  return (
    <MantineProvider
      theme={theme}
      // In the style sheet: see vite/theme-variables.ts.
      withCssVariables={false}
      withGlobalClasses={false}
      colorSchemeManager={colorSchemeManager}
      defaultColorScheme="auto"
    >
      <Router>
        <NavigatesOnceLeft>
          <AppRoutes />
        </NavigatesOnceLeft>
      </Router>
    </MantineProvider>
  );
}
