import { ensureBuilt } from './bootstrap/build.mjs';
import { takeBuildTurn } from './bootstrap/build-turn.mjs';
import { ensureInstalled } from './bootstrap/install.mjs';
import { ensureSeeded } from './bootstrap/seed.mjs';

// `npm run build`: pages and client into dist/, then our own content compiled into dist/content-cache.sqlite.
ensureInstalled();
const endTurn = takeBuildTurn();
ensureBuilt(true);
await ensureSeeded(true);
endTurn();
