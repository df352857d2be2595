import { createServer } from 'node:http';
import { join } from 'node:path';
import { root } from '../prepare.mjs';

/**
 * Vite's server for the frontend, which forwards the gateway's paths, at one address. Requests to the gateway wait
 * while the services restart. Throws when the port is taken.
 *
 * @param {{ port: number, publicUrl: string, gatewayPort: number, services: { answers(): Promise<boolean> } }} options
 * @returns {Promise<{ close(): Promise<void> }>}
 */
export async function startVite({ port, publicUrl, gatewayPort, services }) {
  // Read by frontend/vite.config.ts.
  process.env.PULSO_GATEWAY = `http://127.0.0.1:${gatewayPort}`;
  process.env.PULSO_ORIGIN = publicUrl;
  const server = createServer((request, response) => vite.middlewares(request, response));
  const { createServer: createViteServer } = await import('vite');
  const vite = await createViteServer({
    root: join(root, 'frontend'),
    clearScreen: false,
    logLevel: 'warn',
    // With its own server, Vite would end this process on SIGTERM before the engines have ended.
    server: { middlewareMode: true, ws: { server } },
    plugins: [
      { name: 'pulso:wait-for-services', configureServer: (vite) => waitForServices(vite, services) },
    ],
  });
  const close = async () => {
    await vite.close();
    server.closeAllConnections();
    server.close();
  };
  try {
    await new Promise((resolve, reject) => {
      server.once('error', reject).listen(port, '127.0.0.1', resolve);
    });
  } catch (error) {
    await close();
    if (error.code !== 'EADDRINUSE') throw error;
    throw new Error(`PORT: ${port} is taken by another program. Choose another one: PORT=8081 npm run dev`, {
      cause: error,
    });
  }
  return { close };
}

function waitForServices({ config, middlewares }, services) {
  const passedOn = Object.keys(config.server.proxy ?? {}).map((path) => new RegExp(path));
  middlewares.use((request, response, next) => {
    if (!passedOn.some((path) => path.test(request.url ?? ''))) return next();
    services.answers().then((answers) => {
      if (answers) return next();
      response.writeHead(503, { 'content-type': 'text/plain', 'retry-after': '1' });
      response.end('The services do not run: see the output of npm run dev.\n');
    }, next);
  });
}
