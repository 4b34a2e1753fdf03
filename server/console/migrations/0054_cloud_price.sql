-- What cloud work cost on a day (YYYY-MM-DD in UTC): its bill, and what is reported late, is made after it.
CREATE TABLE cloud_price (
  day TEXT NOT NULL,
  item TEXT NOT NULL,
  cents BIGINT NOT NULL,
  unit_size BIGINT NOT NULL,
  PRIMARY KEY (item, day)
);
