import { sectionOf } from '../../client/contract/section.ts';
import type { BarGroup, Site } from '../../client/contract/site.ts';
import { Icon } from '../../client/ui/Icon.tsx';
import { TryCloud } from '../parts/TryCloud.tsx';
import { AccountMenu } from './AccountMenu.tsx';
import { Logo } from './Logo.tsx';
import { MobileMenu } from './MobileMenu.tsx';
import { ThemeButtons } from './ThemeChoice.tsx';

function Group({ group, current }: { group: BarGroup; current: boolean }) {
  const mark = current ? { 'data-current': '' } : {};
  if (!group.items) {
    return (
      <li data-section={group.id} {...mark}>
        <a className="bar-link" href={group.href}>
          {group.label}
        </a>
      </li>
    );
  }
  return (
    <li data-section={group.id} {...mark}>
      <details name="bar">
        <summary className="bar-link">
          {group.label}
          <Icon name="chevron" />
        </summary>
        <ul className="drop-down">
          {group.items.map((item) => (
            <li key={item.href}>
              <a href={item.href}>
                {item.label}
                {item.description && <small>{item.description}</small>}
              </a>
            </li>
          ))}
        </ul>
      </details>
    </li>
  );
}

/** The bar of every page: works as HTML and CSS alone; client/ adds hover, the account menu and the sticky look. */
export function Bar({ site, path }: { site: Site; path: string }) {
  const section = sectionOf(path);
  return (
    <header className="bar">
      <div className="wrap">
        <Logo brand={site.brand} />
        <nav aria-label="Main">
          <ul className="bar-groups">
            {site.navigation.bar.map((group) => (
              <Group key={group.id} group={group} current={group.id === section} />
            ))}
          </ul>
        </nav>
        <div className="bar-end">
          <a
            className="icon-button"
            href="/search"
            data-search=""
            data-tip="Search: / or Ctrl K"
            aria-keyshortcuts="/ Control+K Meta+K"
            aria-label="Search"
          >
            <Icon name="search" />
          </a>
          <details name="bar" className="theme" data-needs-js="">
            <summary className="icon-button" aria-label="Theme" data-tip="Theme">
              <Icon name="theme" />
            </summary>
            <div className="drop-down drop-down-end">
              <ThemeButtons />
            </div>
          </details>
          <a className="bar-link" href="/login" data-login>
            Log In
          </a>
          <AccountMenu site={site} />
          <TryCloud site={site} />
          <MobileMenu site={site} section={section} />
        </div>
      </div>
    </header>
  );
}
