-- Bills are made from the sums of what they took.
DROP INDEX usage_of_bill;
