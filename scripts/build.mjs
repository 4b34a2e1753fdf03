import { ensureBuilt } from './bootstrap/build.mjs';
import { ensureInstalled } from './bootstrap/install.mjs';
import { become } from './bootstrap/node.mjs';
import { say } from './bootstrap/say.mjs';

// `npm run build`: pages and client into dist/, then our own content compiled into dist/content-cache.sqlite.
ensureInstalled();
ensureBuilt(true);
say('Compiling content into dist/content-cache.sqlite …');
await become(['scripts/seed-content.ts']);
