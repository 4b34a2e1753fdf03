import { consoleSettings } from '../server/config/console.ts';
import { settingsTable } from '../server/config/read-settings.ts';
import { siteSettings } from '../server/config/site.ts';

// Prints the settings tables for the README: the site's, then the console backend's.
process.stdout.write(
  `${settingsTable(siteSettings)}\n\nSettings of the console backend:\n\n${settingsTable(consoleSettings)}\n`,
);
