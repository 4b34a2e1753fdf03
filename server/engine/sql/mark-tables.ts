/** The tables of an SQL target that hold what jobs keep there, each with a column `job`. */
export const markTables = ['millrace_mark', 'millrace_table', 'millrace_parked', 'millrace_target'];
