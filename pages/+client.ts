import '../client/entry.ts';
