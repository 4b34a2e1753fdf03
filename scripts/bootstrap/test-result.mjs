/** How much of what each failed test said is told again, and of how many. */
const mostCharacters = 1_500;
const mostFailures = 10;

/**
 * The closing lines of a test run, from vitest's JSON report: what failed once more, since of a long output often only the
 * end is kept. A file that could not be loaded has no tests in the report and counts as one failure.
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
