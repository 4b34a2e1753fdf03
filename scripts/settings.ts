import { settingsTable } from '../server/config/read-settings.ts';
import { securitySettings, siteSettings } from '../server/config/site.ts';

// Prints the tables of settings that README.md and SECURITY.md hold.
process.stdout.write(
  `README.md\n\n${settingsTable(siteSettings)}\n\nSECURITY.md\n\n${settingsTable(securitySettings)}\n`,
);
