/**
 * Reports each failure at once: a run of half an hour may be ended before its summary.
 * @implements {import('vitest/node').Reporter}
 */
export default class FailureReporter {
  /** @param {import('vitest/node').TestCase} test */
  onTestCaseResult(test) {
    for (const { message, stack = message, diff = '' } of test.result().errors ?? [])
      console.error(`✗ ${test.module.moduleId}: ${test.fullName}\n${stack}\n${diff}\n`);
  }
}
