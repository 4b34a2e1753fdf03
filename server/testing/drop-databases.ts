import { afterAll, inject } from 'vitest';
import { dropCreated } from './postgres.ts';

// Together the databases of all files would fill the memory that a run has them in.
afterAll(() => dropCreated(inject('postgresUrl')));
