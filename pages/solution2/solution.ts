import type { Catalogue } from '../../client/contract/catalogue.ts';
import type { Site } from '../../client/contract/site.ts';
import { nameOf, pairOf } from '../parts/solution/pairs.ts';
import type { Solution } from '../parts/solution/solution.ts';
import { planOf } from './plan.ts';

/** What /solution2 says. */
export function aiAndRag(site: Site, catalogue: Catalogue): Solution {
  const providers = ['openai', 'anthropic', 'bedrock', 'ollama'].map((id) => nameOf(catalogue, id));
  return {
    name: 'AI & RAG',
    title: 'Answers from data that stays current',
    lede: `A model does not know the ticket that was opened five minutes ago. ${site.brand.name} keeps what it looks up current: vectors made from your files, and rows from the databases that own the facts.`,
    strengthsTitle: 'What an assistant needs',
    strengths: [
      {
        icon: 'layers',
        title: 'Files become vectors',
        text: 'Google Drive, object storage and SSH hosts are sources. The job sends their text to an embedding model and stores what comes back.',
      },
      {
        icon: 'loop',
        title: 'Rows stay exact',
        text: 'Balances, stock and states are not similar, they are right or wrong. They arrive by change sync.',
      },
      {
        icon: 'search',
        title: 'A chat API from a job',
        text: 'A job with the target RagApi answers from vectors that another job has written, and may rerank them first.',
      },
      {
        icon: 'shield',
        title: 'Your models, your network',
        text: `${providers.slice(0, -1).join(', ')} or ${providers.at(-1)}. With on-premise and a local model no text leaves your network.`,
      },
    ],
    architecture: {
      title: 'Passages for what is similar, rows for what is exact',
      lede: 'Two ways lead to an answer, and most assistants need both.',
      plan: planOf(catalogue),
    },
    steps: {
      lede: 'One job for the files, one for the API, and a third where answers need rows as they are now.',
      items: [
        {
          title: 'Prepare the store',
          text: 'A PostgreSQL database with the vector extension, and an account that may create tables.',
          href: '/docs/dataMigrationAndSync/connection/postgresql',
          link: 'PostgreSQL as a target',
        },
        {
          title: 'Add files and model',
          text: 'A model provider is a data source too: address and key are stored once and used by every job.',
          href: '/docs/operation/datasource_manage/add_self_maintain_ds',
          link: 'Add a source',
        },
        {
          title: 'Load and repeat',
          text: 'The first run embeds everything. A cron schedule runs it again, as often as the files change.',
          href: '/docs/operation/job_manage/create_job/create_period_full_job',
          link: 'Scheduled load',
        },
        {
          title: 'Serve and check',
          text: 'Create the job with the target RagApi. Begin with questions whose answer you know.',
          href: '/blog/ai/rag_concept',
          link: 'RAG in plain words',
        },
      ],
    },
    cases: [
      {
        title: 'Manuals and policies',
        text: 'A folder that people edit anyway answers questions. Nothing is copied by hand.',
        ...pairOf(catalogue, 'google-drive', 'postgresql'),
      },
      {
        title: 'A chat API over vectors',
        text: 'One address for every application that asks, with one choice of model behind it.',
        ...pairOf(catalogue, 'postgresql', 'ragapi'),
      },
      {
        title: 'Facts for functions',
        text: 'An assistant reads order and stock from a copy. The production database is not asked by a model.',
        ...pairOf(catalogue, 'mysql', 'postgresql'),
      },
      {
        title: 'Tickets and notes',
        text: 'Documents that live in a database feed the same API as those that live in files.',
        ...pairOf(catalogue, 'mongodb', 'ragapi'),
      },
    ],
    limits: [
      'Files are read by loads, not by a log: vectors are as old as the last run of the schedule.',
      'Who may read what is not decided here. Keep rights in the filter of the search.',
      'An answer is as good as its passages. The job does not write your documents.',
    ],
  };
}
