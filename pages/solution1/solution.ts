import type { Catalogue } from '../../client/contract/catalogue.ts';
import type { Site } from '../../client/contract/site.ts';
import { pairOf } from '../parts/solution/pairs.ts';
import type { Solution } from '../parts/solution/solution.ts';
import { planOf } from './plan.ts';

/** What /solution1 says. */
export function realTimeAnalytics(site: Site, catalogue: Catalogue): Solution {
  return {
    name: 'Real-time Analytics',
    title: 'Reports on data that is seconds old',
    lede: `${site.brand.name} loads your tables into the warehouse once and then follows the change logs of their databases. It is made for a latency under 3 seconds from commit to copy.`,
    strengthsTitle: 'Why the copy stays close',
    strengths: [
      {
        icon: 'bolt',
        title: 'Follows the log',
        text: 'Binary log, WAL, redo log, oplog. The delay does not grow with the size of a table, because no table is polled.',
      },
      {
        icon: 'table',
        title: 'Fits the warehouse',
        text: 'Table engine and model are chosen with the job. Types are mapped for each pair, and shown before a table is made.',
      },
      {
        icon: 'code',
        title: 'Shapes rows on the way',
        text: 'Row filters, other names, fewer columns, transform scripts, and Java code of your own where these are not enough.',
      },
      {
        icon: 'check',
        title: 'Proves the copy',
        text: 'A comparison by key, once or on a schedule. Rows that differ are looked at twice, then written again.',
      },
    ],
    architecture: {
      title: 'From commit to query',
      lede: 'One job for each pair. Workers stand near your databases: ours in the cloud, or yours in your own network.',
      plan: planOf(catalogue),
    },
    steps: {
      lede: 'Nothing is programmed, and nothing is installed on the database hosts unless an engine’s own page says so.',
      items: [
        {
          title: 'Prepare the source',
          text: 'An account with the rights to read rows and log, and a log that is kept longer than the load takes.',
          href: '/docs/dataMigrationAndSync/connection/mysql',
          link: 'MySQL as a source',
        },
        {
          title: 'Add both ends',
          text: 'Addresses and credentials. The connection test runs on the worker, so it proves the way as well.',
          href: '/docs/operation/datasource_manage/add_self_maintain_ds',
          link: 'Add a database',
        },
        {
          title: 'Create the job',
          text: 'Tables, columns, filters. A pre-check shows the value required beside the value found.',
          href: '/docs/operation/job_manage/create_job/create_full_incre_task',
          link: 'Load and changes',
        },
        {
          title: 'Watch and compare',
          text: 'A chart of the delay, alerts when it grows, and a comparison once the job has caught up.',
          href: '/docs/operation/job_manage/job_op/job_monitor',
          link: 'Job charts',
        },
      ],
    },
    cases: [
      {
        title: 'Operational dashboards',
        text: 'Stock, orders and payments as they are now, without a query on the database that takes the orders.',
        ...pairOf(catalogue, 'mysql', 'starrocks'),
      },
      {
        title: 'Event analysis',
        text: 'Wide scans over months of rows, while updates and deletes keep arriving.',
        ...pairOf(catalogue, 'mysql', 'clickhouse'),
      },
      {
        title: 'Tables in a lake',
        text: 'Current tables in an open format, which several engines read without another copy.',
        ...pairOf(catalogue, 'oracle', 'iceberg'),
      },
      {
        title: 'Search beside the database',
        text: 'An index that learns of a changed row from the log, not from the application.',
        ...pairOf(catalogue, 'postgresql', 'elasticsearch'),
      },
    ],
    limits: [
      'Analytical engines merge in the background: two versions of a row may show until they have, and queries have to allow for it.',
      'Transactions are not kept together. A query may see one table of a transaction before the other.',
      'Tables without a primary key can be loaded, but not compared.',
    ],
  };
}
