import type { Announcement as AnnouncementData } from '../../client/contract/site.ts';
import { Icon } from '../../client/ui/Icon.tsx';

/** One line above the bar; dismissed per announcement id. */
export function Announcement({ announcement }: { announcement: AnnouncementData }) {
  return (
    <aside className="announcement" aria-label="Announcement" data-announcement={announcement.id}>
      <div className="wrap">
        <p>
          {announcement.text} <a href={announcement.href}>{announcement.linkLabel}</a>
        </p>
        <button
          type="button"
          className="icon-button"
          data-dismiss=""
          data-needs-js=""
          aria-label="Close the announcement"
        >
          <Icon name="close" />
        </button>
      </div>
    </aside>
  );
}
