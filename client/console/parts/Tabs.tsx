import type { ReactNode } from 'react';
import { Tabs as AriaTabs, Tab, TabList, TabPanel } from 'react-aria-components/Tabs';
import { showInRow } from './show-in-row.ts';

interface TabsProps {
  /** What the tabs are, for screen readers. */
  label: string;
  tabs: readonly { id: string; label: string; content: ReactNode }[];
  /** The tab's id, as in the address; the first tab if no tab has this id. */
  selected: string | null;
  onSelect: (id: string) => void;
}

/** In a narrow window the tabs are a row that scrolls. */
function showTab(tab: HTMLElement | null): void {
  if (tab?.parentElement) showInRow(tab, tab.parentElement);
}

/** Parts of a page, shown one at a time; arrow keys, Home and End move and select. */
export function Tabs({ label, tabs, selected, onSelect }: TabsProps) {
  const shown = (tabs.find(({ id }) => id === selected) ?? tabs[0])?.id ?? '';
  return (
    <AriaTabs selectedKey={shown} onSelectionChange={(key) => onSelect(String(key))}>
      <TabList className="console-tabs" aria-label={label}>
        {tabs.map((tab) => (
          <Tab key={tab.id} id={tab.id} ref={tab.id === shown ? showTab : null}>
            {tab.label}
          </Tab>
        ))}
      </TabList>
      {tabs.map((tab) => (
        <TabPanel key={tab.id} id={tab.id} className="console-panel">
          {tab.content}
        </TabPanel>
      ))}
    </AriaTabs>
  );
}
