import { setImmediate as turn } from 'node:timers/promises';
import { openLog } from '../log.ts';

// A process that logs as many lines as it is told, and then ends as the server does.
const lines = Number(process.argv[2]);

const { log, close } = openLog('info', false);
for (let line = 0; line < lines; line += 1) {
  log.info({ line }, 'x'.repeat(500));
  if (line % 100 === 99) await turn();
}
// Told by another way than the log: nothing has waited for its reader.
await new Promise((sent) => process.send?.('written', sent));
await close();
process.exit(0);
