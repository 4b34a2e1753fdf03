import type { Site } from '../../client/contract/site.ts';
import { SupportAddress } from '../parts/SupportAddress.tsx';
import { Logo } from './Logo.tsx';

/** Four columns of links and the brand's one-line description. */
export function Footer({ site }: { site: Site }) {
  return (
    <footer className="footer">
      <div className="wrap">
        <div className="footer-brand">
          <Logo brand={site.brand} />
          <p>{site.brand.description}</p>
        </div>
        {site.navigation.footer.map((column) => (
          <nav key={column.title} aria-label={column.title}>
            <h2>{column.title}</h2>
            <ul>
              {column.links.map((link) => (
                <li key={link.href}>
                  <a href={link.href}>{link.label}</a>
                </li>
              ))}
            </ul>
          </nav>
        ))}
        <p className="footer-end">
          {site.brand.legalName}
          <SupportAddress brand={site.brand} />
        </p>
      </div>
    </footer>
  );
}
