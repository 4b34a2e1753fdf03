import './styles/site.css';
import './styles/client.css';
import { startAccountForm } from './account/form/start-account-form.ts';
import { retryUser } from './account/query-user.ts';
import { startAccount } from './bar/account.ts';
import { startAnnouncement } from './bar/announcement.ts';
import { closeMenus, startMenus } from './bar/menus.ts';
import { startSticky } from './bar/sticky.ts';
import { startTheme } from './bar/theme.ts';
import { startTryCloud } from './bar/try-cloud.ts';
import { closeDialogs } from './browser/dialogs.ts';
import { startLiveRegion } from './browser/live-region.ts';
import { clearNotice } from './browser/notice.ts';
import { openWantedDownload, startDownload } from './download/start-download.ts';
import { startFilters } from './filter/start-filters.ts';
import { startIslands, stopIslands } from './islands/start-islands.ts';
import { startScrollMemory } from './navigation/scroll.ts';
import { startNavigation } from './navigation/start-navigation.ts';
import { startReading, startReadingTools } from './reading/start-reading.ts';
import { startSearchBox } from './search/search-box.ts';
import { captureCampaign } from './visits/campaign.ts';
import { recordPageView } from './visits/page-view.ts';

/** Everything the browser runs, in order. Once for the document: */
captureCampaign();
startTheme();
startAccount();
startMenus();
startSticky();
startTryCloud();
startAnnouncement();
startSearchBox();
startFilters();
startDownload();
startReadingTools();
startLiveRegion();
startScrollMemory();

/** And for every page shown: */
const arrive = [startAccountForm, startReading, startIslands, recordPageView, openWantedDownload, retryUser];
for (const task of arrive) task();

// The console follows its own addresses and its own back and forward; from there, pages of the site are loaded fully.
if (!document.querySelector('[data-console]')) {
  startNavigation({
    leave: [closeMenus, closeDialogs, clearNotice, stopIslands],
    arrive,
    addressChange: [recordPageView],
  });
}
