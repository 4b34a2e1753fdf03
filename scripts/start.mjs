import { ensureBuilt, programsFolder } from './bootstrap/build.mjs';
import { ensureInstalled } from './bootstrap/install.mjs';
import { become } from './bootstrap/node.mjs';

// `npm start`: installs and builds what is missing or stale, then becomes the server.
ensureInstalled();
ensureBuilt();
await become([`${programsFolder}/main.mjs`, ...process.argv.slice(2)], {
  NODE_ENV: process.env.NODE_ENV ?? 'production',
});
