import './styles/site.css';
import './styles/client.css';
import { startAnnouncement } from './announcement.ts';
import { startAccount } from './bar/account.ts';
import { closeMenus, startMenus } from './bar/menus.ts';
import { startSticky } from './bar/sticky.ts';
import { startTryCloud } from './bar/try-cloud.ts';
import { captureCampaign } from './campaign.ts';
import { closeDialogs } from './dialogs.ts';
import { openWantedDownload, startDownload } from './download-opener.ts';
import { startFilters } from './filter.ts';
import { startIslands, stopIslands } from './islands.ts';
import { startLiveRegion } from './live-region.ts';
import { startNavigation } from './navigation/navigate.ts';
import { prefetchInView, startPrefetch } from './navigation/prefetch.ts';
import { startScrollMemory } from './navigation/scroll.ts';
import { recordPageView } from './page-view.ts';
import { startReading, startReadingTools } from './reading.ts';
import { startSearchBox } from './search-box.ts';
import { startTheme } from './theme.ts';

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
startPrefetch();

/** And for every page shown: */
const arrive = [startReading, startIslands, prefetchInView, recordPageView, openWantedDownload];
for (const task of arrive) task();

startNavigation({
  leave: [closeMenus, closeDialogs, stopIslands],
  arrive,
  addressChange: [recordPageView],
});
