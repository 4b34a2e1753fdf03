import type pg from 'pg';

/** How long the server may take to close a connection that is ended. */
const farewellMs = 2_000;

/** Ends a connection. To one whose machine is gone, the system would send the farewell for a quarter of an hour. */
export async function endConnection(client: pg.Client): Promise<void> {
  const late = setTimeout(() => client.connection.stream.destroy(), farewellMs);
  await client.end();
  clearTimeout(late);
}
