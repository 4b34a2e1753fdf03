import type { SiteServices } from '../services.ts';

/** Vite in the server's process: builds what is asked for and reloads what changed. */
export async function development(): Promise<{
  middleware: NonNullable<SiteServices['devMiddleware']>;
  close(): Promise<void>;
}> {
  // Vite is not installed in production.
  const { createServer } = await import('vite');
  const vite = await createServer({ server: { middlewareMode: true }, appType: 'custom' });
  return { middleware: vite.middlewares, close: () => vite.close() };
}
