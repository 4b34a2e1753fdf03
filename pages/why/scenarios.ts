interface Scenario {
  title: string;
  situation: string;
  job: string;
  decide: string;
  href: string;
}

const scenarios = '/docs/intro/product_scenarios';

/** Five situations with the job that fits and the decision that is hard to change later. */
export const fiveScenarios: Scenario[] = [
  {
    title: 'A warehouse that follows',
    situation: 'Reports slow the production database down, and the nightly export is a day old.',
    job: 'Full load, then change sync',
    decide: 'How the warehouse represents an update, and whether it should see deletes.',
    href: `${scenarios}#feed-a-warehouse`,
  },
  {
    title: 'A system that is rebuilt',
    situation:
      'Another engine takes over with other names and types. The old one works on until its last reader has moved.',
    job: 'Full load, change sync, transformation',
    decide: 'Which columns change their meaning, and the way back.',
    href: `${scenarios}#re-architecture`,
  },
  {
    title: 'The same engine elsewhere',
    situation: 'A newer version, another provider, other hardware. Writes may stop for minutes, not for a night.',
    job: 'Full load, change sync, verification',
    decide: 'How long the switch may take, and who carries users and grants over.',
    href: `${scenarios}#same-engine`,
  },
  {
    title: 'Events for many readers',
    situation: 'Search, cache and billing all want to know that an order changed, and none should ask the database.',
    job: 'Change sync to a broker',
    decide: 'Topics, partition key and message format. Readers depend on all three.',
    href: `${scenarios}#feed-a-broker`,
  },
  {
    title: 'Two sites that both write',
    situation: 'Each site serves its own users, and each needs the other’s rows.',
    job: 'Two change syncs with loop prevention',
    decide: 'Which site writes which rows. Loops are prevented, conflicts are not settled.',
    href: `${scenarios}#two-way-sync`,
  },
];
