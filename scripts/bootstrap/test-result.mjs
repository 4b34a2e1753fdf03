/** How much of each failure's message is repeated, and for how many failures. */
const mostCharacters = 1_500;
const mostFailures = 10;

/**
 * The closing lines of a test run, from vitest's JSON report: they repeat the failures, since often only the end of a
 * long output is kept. A file that could not be loaded has no tests in the report and counts as one failure.
 * @param {{ numPassedTests: number, numFailedTests: number, numPendingTests: number, numTodoTests?: number,
 *   testResults: { name: string, status: string, message: string,
 *     assertionResults: { status: string, fullName: string, failureMessages: string[] | null }[] }[] }} report
 */
export function closingLines(report) {
  const unloaded = report.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0);
  const passed = report.numPassedTests;
  const failed = report.numFailedTests + unloaded.length;
  const skipped = report.numPendingTests + (report.numTodoTests ?? 0);
  const failures = [
    ...unloaded.map(({ name, message }) => ({ name, said: message })),
    ...report.testResults.flatMap(({ name, assertionResults }) =>
      assertionResults
        .filter(({ status }) => status === 'failed')
        .map(({ fullName, failureMessages }) => ({
          name: `${name}: ${fullName}`,
          said: (failureMessages ?? []).join('\n'),
        })),
    ),
  ];
  const told = failures
    .slice(0, mostFailures)
    .map(
      ({ name, said }) => `✗ ${name}\n${said.length > mostCharacters ? `${said.slice(0, mostCharacters)} …` : said}`,
    );
  const counts = `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
  return { passed, failed, lines: [...told, counts].join('\n\n') };
}
