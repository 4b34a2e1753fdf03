import { settingsTable } from '../server/config/read-settings.ts';
import { siteSettings } from '../server/config/site.ts';

// Prints the table of settings for the README.
process.stdout.write(`${settingsTable(siteSettings)}\n`);
