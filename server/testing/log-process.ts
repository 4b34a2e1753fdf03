import { setImmediate as turn } from 'node:timers/promises';
import { openLog } from '../log.ts';

// A process that logs the requested number of lines and then exits as the server does.
const lines = Number(process.argv[2]);

const { log, close } = openLog('info', false);
for (let line = 0; line < lines; line += 1) {
  log.info({ line }, 'x'.repeat(500));
  if (line % 100 === 99) await turn();
}
// Reported over another channel than the log: nothing has waited for its reader.
await new Promise((sent) => process.send?.('written', sent));
await close();
process.exit(0);
