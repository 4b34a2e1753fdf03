/** One property of three approaches; nothing here is measured. */
interface Property {
  name: string;
  batch: string;
  ownStack: string;
  product: string;
}

export const approaches = { batch: 'Batch ETL', ownStack: 'A capture stack of your own' } as const;

/** What the approaches do by their nature, in the order in which it is usually asked. */
export const properties: Property[] = [
  {
    name: 'Latency',
    batch: 'The copy is as old as the last run. Shorter cycles read the source more often.',
    ownStack: 'Reads the log, so seconds are possible. Connectors, broker and sinks have to be tuned together.',
    product: 'Reads the log and writes in parallel batches. Made for less than 3 seconds from commit to target.',
  },
  {
    name: 'Schema change',
    batch: 'A new column waits until somebody changes the pipeline, or is left out without a word.',
    ownStack: 'Capture reports it. Registry and each sink need a rule for what follows.',
    product:
      'Missing tables are created before the load. DDL is carried where the pair supports it, and each page says where.',
  },
  {
    name: 'Verification',
    batch: 'Counts and sums that you write for each pipeline.',
    ownStack: 'Not part of capture. A second tool compares, a third repairs.',
    product: 'A job type: rows are compared by key, once or on a schedule, and those that differ are written again.',
  },
  {
    name: 'Operation',
    batch: 'A scheduler and scripts. A failed night is run again in the morning.',
    ownStack: 'Broker, connectors, registry and sinks to install, upgrade and watch.',
    product: 'One console for state, delay, position and alerts. Tasks of a lost worker move to another one.',
  },
  {
    name: 'Deployment',
    batch: 'Wherever the scheduler runs.',
    ownStack: 'On machines of your own, or around a hosted broker.',
    product: 'Cloud, bring your own cloud or on-premise, with the same jobs in each.',
  },
  {
    name: 'It fits when',
    batch: 'Yesterday’s state is enough and the tables are small.',
    ownStack: 'Streams are your product, and a team looks after them.',
    product: 'A copy must be seconds old, and you have to know that it is equal.',
  },
];
