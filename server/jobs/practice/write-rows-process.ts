import { DatabaseSync } from 'node:sqlite';

// Writes a few rows a second to the source of a practice pair, as an application would: new orders, status changes, a
// deletion now and then. It exits with the process that started it.
const [file = ''] = process.argv.slice(2);
const everyMs = 400;
/** A limit, so that a pair left alone does not grow forever. */
const mostOrders = 20_000;

const database = new DatabaseSync(file, { timeout: 5_000 });
database.exec('PRAGMA synchronous=NORMAL');
const insert = database.prepare(
  `INSERT INTO orders (customer_id, product_id, amount, state, changed_at)
   VALUES (1 + abs(random()) % 200, 1 + abs(random()) % 50, 1 + abs(random()) % 5, 'new', datetime('now'))`,
);
const advance = database.prepare(
  `UPDATE orders SET state = CASE state WHEN 'new' THEN 'packed' ELSE 'shipped' END, changed_at = datetime('now')
   WHERE id IN (SELECT id FROM orders WHERE state <> 'shipped' ORDER BY id LIMIT 2)`,
);
const reprice = database.prepare('UPDATE products SET price_cents = price_cents + 1 WHERE id = 1 + abs(random()) % 50');
const cancel = database.prepare("DELETE FROM orders WHERE id = (SELECT max(id) FROM orders WHERE state = 'new')");
const forget = database.prepare(`DELETE FROM orders WHERE id <= (SELECT max(id) FROM orders) - ${mostOrders}`);

let turn = 0;
setInterval(() => {
  turn += 1;
  database.exec('BEGIN IMMEDIATE');
  insert.run();
  insert.run();
  advance.run();
  if (turn % 5 === 0) reprice.run();
  if (turn % 11 === 0) cancel.run();
  if (turn % 50 === 0) forget.run();
  database.exec('COMMIT');
}, everyMs);

process.once('disconnect', () => process.exit(0));
