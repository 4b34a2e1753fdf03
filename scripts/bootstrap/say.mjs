/** @param {string} line One line for the person who typed the command. */
export function say(line) {
  console.log(`› ${line}`);
}

/** Exits with one sentence that says what to do. @param {string} sentence @returns {never} */
export function giveUp(sentence) {
  console.error(`✗ ${sentence}`);
  process.exit(1);
}
