/** Something that must never be seen. `rule` names the invariant, `subject` the thing it was broken by. */
export interface Violation {
  readonly rule: string
  readonly subject: string
  readonly seen: string
  readonly expected: string
}

/** Thrown where an act cannot go on; everything else is collected. */
export class Violated extends Error {
  readonly violation: Violation
  constructor(violation: Violation) {
    super(`${violation.rule}: ${violation.subject}: ${violation.seen}, expected ${violation.expected}`)
    this.violation = violation
  }
}
