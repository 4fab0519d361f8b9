/** A violation of an invariant. `rule` names the invariant, `subject` the object that violates it. */
export interface RobotViolation {
  readonly rule: string
  readonly subject: string
  readonly seen: string
  readonly expected: string
}
