/** Prints what a measurement says, in the form of the other lines of `make bench`, and why one failed. */

import type { Reporter, TestCase, TestResult } from "@playwright/test/reporter";

export default class Figures implements Reporter {
  onStdOut(text: string | Buffer): void {
    process.stdout.write(text);
  }

  onTestEnd(test: TestCase, { status, error }: TestResult): void {
    if (status !== "passed") console.error(`${test.title}: ${status}: ${error?.message ?? ""}`);
  }

  printsToStdio(): boolean {
    return true;
  }
}

/** One line: what was measured, the figure, and what it is held against. */
export function line(name: string, value: number, unit: string, bound: string): void {
  console.log(`${name.padEnd(64)} ${value.toFixed(2).padStart(9)} ${unit.padEnd(12)} ${bound === "" ? "" : `(bound ${bound})`}`.trimEnd());
}
