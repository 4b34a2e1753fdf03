import { settingsTable } from '../server/config.ts';

// Prints the table of settings for the README.
process.stdout.write(`${settingsTable()}\n`);
