import { type DeploymentKind, DeploymentPlan } from '../parts/drawings/DeploymentPlan.tsx';
import { SectionHead } from '../parts/SectionHead.tsx';

interface Deployment {
  kind: DeploymentKind;
  name: string;
  text: string;
  facts: [name: string, value: string][];
  href: string;
  link: string;
}

const deployments: Deployment[] = [
  {
    kind: 'managed',
    name: 'Managed cloud',
    text: 'Nothing to install. Your databases admit our workers.',
    facts: [
      ['Console', 'with us'],
      ['Workers', 'with us'],
      ['Rows pass through', 'our workers'],
      ['Credentials are stored', 'in our console'],
      ['Your network opens', 'a way in to the databases, or an SSH tunnel'],
      ['Upgrades', 'by us'],
      ['You pay', 'by rows'],
    ],
    href: '/docs/quick/quick_start_mgr',
    link: 'Start managed',
  },
  {
    kind: 'byoc',
    name: 'Bring your own cloud',
    text: 'The workers stand beside your databases, and we look after the console.',
    facts: [
      ['Console', 'with us'],
      ['Workers', 'with you'],
      ['Rows pass through', 'your network only'],
      ['Credentials are stored', 'in our console, encrypted'],
      ['Your network opens', 'one port outbound, TCP 7007'],
      ['Upgrades', 'console by us, workers by you'],
      ['You pay', 'by rows'],
    ],
    href: '/docs/quick/quick_start_byoc',
    link: 'Start with BYOC',
  },
  {
    kind: 'onPremise',
    name: 'On-premise',
    text: 'Console and workers run in your network, without a connection to us.',
    facts: [
      ['Console', 'with you'],
      ['Workers', 'with you'],
      ['Rows pass through', 'your network only'],
      ['Credentials are stored', 'in your console'],
      ['Your network opens', 'nothing'],
      ['Upgrades', 'by you'],
      ['You pay', 'by licence: links for a term'],
    ],
    href: '/docs/quick/quick_start',
    link: 'Start on-premise',
  },
];

/** Three ways to run it, compared line by line. */
export function Deployments() {
  return (
    <section className="section wrap" aria-labelledby="deployments">
      <SectionHead
        id="deployments"
        title="Three ways to run it"
        link={{ label: 'What each part sees', href: '/docs/intro/product_arch' }}
        lede="Jobs look the same in all three. The deployments differ in who runs what, which way rows travel and how you pay."
      />
      <div className="deployments">
        {deployments.map(({ kind, name, text, facts, href, link }) => (
          <article key={kind}>
            <div className="figure-box">
              <DeploymentPlan kind={kind} />
            </div>
            <h3>{name}</h3>
            <p>{text}</p>
            <dl>
              {facts.map(([fact, value]) => (
                <div key={fact}>
                  <dt>{fact}</dt>
                  <dd>{value}</dd>
                </div>
              ))}
            </dl>
            <a className="arrow-link" href={href}>
              {link}
            </a>
          </article>
        ))}
      </div>
    </section>
  );
}
