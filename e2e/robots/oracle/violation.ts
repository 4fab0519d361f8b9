/** Something that must never be seen. `rule` names the invariant, `subject` the thing it was broken by. */
export interface RobotViolation {
  readonly rule: string
  readonly subject: string
  readonly seen: string
  readonly expected: string
}
