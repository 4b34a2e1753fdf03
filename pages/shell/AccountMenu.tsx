import type { Site } from '../../client/contract/site.ts';
import { Icon } from '../../client/ui/Icon.tsx';

/** Greeting and menu of a signed-in visitor; every visitor gets the same bytes, and <html data-user> shows it. */
export function AccountMenu({ site }: { site: Site }) {
  return (
    <details name="bar" className="account" data-signed-in="">
      <summary className="bar-link">
        <span data-greeting="" />
        <Icon name="chevron" />
      </summary>
      <ul className="drop-down drop-down-end">
        <li>
          <a href={`${site.cloudAppUrl}/usercenter`} target="_blank" rel="noopener">
            Personal Center
          </a>
        </li>
        <li>
          <a href={`${site.cloudAppUrl}/billing`} target="_blank" rel="noopener">
            My Billing
          </a>
        </li>
        <li>
          <hr />
          <button type="button" data-logout="">
            Logout
          </button>
        </li>
      </ul>
    </details>
  );
}
