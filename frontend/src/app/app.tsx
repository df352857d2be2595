import { MantineProvider } from '@mantine/core';
import { BrowserRouter } from 'react-router-dom';
import { NavigatesOnceLeft } from '../components/back-closes.js';
import { AppRoutes } from './routes.js';
import { colorSchemeManager, cssVariablesResolver, theme } from './theme.js';

export function App() {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      colorSchemeManager={colorSchemeManager}
      defaultColorScheme="auto"
    >
      <BrowserRouter>
        <NavigatesOnceLeft>
          <AppRoutes />
        </NavigatesOnceLeft>
      </BrowserRouter>
    </MantineProvider>
  );
}
