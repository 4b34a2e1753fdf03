import type { BarGroup, Site } from '../../client/contract/site.ts';
import { Icon } from '../../client/ui/Icon.tsx';
import { TryCloud } from '../parts/TryCloud.tsx';
import { ThemeButtons } from './ThemeChoice.tsx';

function Row({ group, current }: { group: BarGroup; current: boolean }) {
  const mark = current ? { 'data-current': '' } : {};
  // Only Product unfolds on mobile; the other groups link to their first page.
  if (group.id === 'product' && group.items) {
    return (
      <li data-section={group.id} {...mark}>
        <details>
          <summary className="mobile-row">
            {group.label}
            <Icon name="chevron" />
          </summary>
          <ul>
            {group.items.map((item) => (
              <li key={item.href}>
                <a href={item.href}>{item.label}</a>
              </li>
            ))}
          </ul>
        </details>
      </li>
    );
  }
  return (
    <li data-section={group.id} {...mark}>
      <a className="mobile-row" href={group.href ?? group.items?.[0]?.href}>
        {group.label}
      </a>
    </li>
  );
}

/** Hamburger and panel below the desktop breakpoint. */
export function MobileMenu({ site, section }: { site: Site; section: BarGroup['id'] | undefined }) {
  return (
    <details className="mobile-menu">
      <summary className="icon-button" aria-label="Menu">
        <Icon name="menu" className="icon-open" />
        <Icon name="close" className="icon-close" />
      </summary>
      <nav className="mobile-panel" aria-label="Menu">
        <ul>
          {site.navigation.bar.map((group) => (
            <Row key={group.id} group={group} current={group.id === section} />
          ))}
          <li data-login="">
            <a className="mobile-row" href="/login">
              Log In
            </a>
          </li>
        </ul>
        <div data-signed-in="">
          <p className="mobile-greeting" data-greeting="" />
          <a className="mobile-row" href={`${site.cloudAppUrl}/usercenter`} target="_blank" rel="noopener">
            Personal Center
          </a>
          <a className="mobile-row" href={`${site.cloudAppUrl}/billing`} target="_blank" rel="noopener">
            My Billing
          </a>
          <hr />
          <button type="button" className="mobile-row" data-logout="">
            Logout
          </button>
        </div>
        <fieldset className="mobile-theme" data-needs-js="">
          <legend className="visually-hidden">Theme</legend>
          <span aria-hidden="true">Theme</span>
          <ThemeButtons />
        </fieldset>
        <TryCloud site={site} />
      </nav>
    </details>
  );
}
