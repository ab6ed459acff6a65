/** Whether the suites of several processes run at length: with `npm run test:processes`, not as a part of `npm test`. */
export const isLong = process.env.PUNCHCARD_TEST_PROCESSES === 'long';
