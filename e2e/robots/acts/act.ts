import type { PersonWindow } from '../pages/window.ts'
import type { RobotClient } from '../people/client.ts'
import type { RobotPerson } from '../people/person.ts'
import type { SeededRandom } from '../people/random.ts'
import type { RobotProduct } from '../stage/product.ts'
import type { RobotViolation } from '../oracle/violation.ts'

/** A robot's memory between acts. */
export interface RobotMemory {
  userId: string
  hasPin: boolean
  /** Contact that receives codes: an e-mail address, or a number in E.164. */
  contact: string
  isGone: boolean
  readonly keys: { readonly keyId: string; readonly secret: string }[]
  /** Orders that this person paid, with the prices that the pages showed. */
  readonly paid: { readonly orderNo: string; readonly orderType: number; readonly total: string }[]
}

/** A simulated person: its client, memory, window and random source. */
export interface Robot {
  readonly person: RobotPerson
  readonly client: RobotClient
  readonly product: RobotProduct
  readonly memory: RobotMemory
  /** Invitation codes of other people in the same run. */
  readonly codes: string[]
  report(violation: RobotViolation): void
  /** The person's browser, opened by the first call; only for people who use pages. */
  readonly window?: () => Promise<PersonWindow>
}

/** One action of a customer, sensible or not. Returns its result in a few words. */
export interface RobotAct {
  readonly name: string
  readonly weight: number
  run(robot: Robot, random: SeededRandom): Promise<string>
}

/** Reports a violation of a rule. */
export function expectEqual(
  robot: Pick<Robot, 'report'>,
  rule: string,
  { subject, seen, expected }: { readonly subject: string; readonly seen: unknown; readonly expected: unknown },
): void {
  if (String(seen) !== String(expected)) robot.report({ rule, subject, seen: String(seen), expected: String(expected) })
}
