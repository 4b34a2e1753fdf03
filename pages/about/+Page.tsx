import '../../client/styles/marketing.css';
import '../../client/styles/solution.css';
import './about.css';
import type { TitledText } from '../../client/contract/page-texts.ts';
import type { PageProps } from '../../client/contract/pages.ts';
import { LongDate } from '../../client/ui/LongDate.tsx';
import { isReachable } from '../parts/contact.ts';
import { SectionHead } from '../parts/SectionHead.tsx';

function Terms({ items }: { items: TitledText[] }) {
  return (
    <dl className="terms">
      {items.map(({ title, text }) => (
        <div key={title}>
          <dt>{title}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}

function Releases({ releases }: Pick<PageProps<'about'>, 'releases'>) {
  const newest = releases.find(({ date }) => date !== undefined);
  return (
    <ol className="timeline">
      {releases.map(({ version, date, href, description }) => (
        <li key={version} className={version === newest?.version ? 'timeline-newest' : undefined}>
          <h3>
            <a href={href}>{version}</a>
          </h3>
          <p className="timeline-date">{date === undefined ? 'Planned' : <LongDate iso={date} />}</p>
          <p className="timeline-text">{description}</p>
        </li>
      ))}
    </ol>
  );
}

/** What the team works on, its principles, its releases, and how to reach it. */
export default function AboutPage({ text, releases }: PageProps<'about'>) {
  const contacts = text.contact.items.filter(({ email }) => isReachable(email));
  return (
    <>
      <header className="banner wrap">
        <p className="eyebrow">{text.banner.eyebrow}</p>
        <h1>{text.banner.title}</h1>
        <p className="lede">{text.banner.lede}</p>
      </header>
      <section className="section wrap section-split">
        <SectionHead text={text.work} />
        <Terms items={text.work.items} />
      </section>
      <section className="section wrap section-split">
        <SectionHead text={text.principles} />
        <Terms items={text.principles.items} />
      </section>
      {releases.length > 0 && (
        <section className="section wrap section-split">
          <SectionHead text={text.releases} />
          <Releases releases={releases} />
        </section>
      )}
      {contacts.length > 0 && (
        <section className="section wrap section-split">
          <SectionHead text={text.contact} />
          <ul className="contacts">
            {contacts.map(({ title, text: about, email }) => (
              <li key={title}>
                <h3>{title}</h3>
                <p>{about}</p>
                <a href={`mailto:${email}`}>{email}</a>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
