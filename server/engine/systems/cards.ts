import { postgresCard } from './postgresql/card.ts';
import { sqliteCard } from './sqlite/card.ts';
import type { Card } from './system.ts';

/** Every kind of system that jobs can read from or write to. */
export const cards: readonly Card[] = [postgresCard, sqliteCard];
