import type { PersonWindow } from '../pages/window.ts'
import type { RobotClient } from '../people/client.ts'
import type { RobotPerson } from '../people/person.ts'
import type { SeededRandom } from '../people/random.ts'
import type { RobotProduct } from '../stage/product.ts'
import type { RobotViolation } from '../oracle/violation.ts'

/** A person's memory between acts. */
export interface RobotMemory {
  userId: string
  hasPin: boolean
  /** Receives codes: an address, or a number in E.164. */
  contact: string
  isGone: boolean
  readonly keys: { readonly keyId: string; readonly secret: string }[]
  /** Orders this person paid, with what the page said they cost. */
  readonly paid: { readonly orderNo: string; readonly orderType: number; readonly total: string }[]
}

/** A person at work. */
export interface Robot {
  readonly person: RobotPerson
  readonly client: RobotClient
  readonly product: RobotProduct
  readonly memory: RobotMemory
  /** Invitation codes of people of the same run. */
  readonly codes: string[]
  report(violation: RobotViolation): void
  /** The person's browser, opened by the first call; only of people who use pages. */
  readonly window?: () => Promise<PersonWindow>
}

/** One thing that people do, wise or foolish. Says in a few words what came of it. */
export interface RobotAct {
  readonly name: string
  readonly weight: number
  run(robot: Robot, random: SeededRandom): Promise<string>
}

/** Reports where something is not as it must be. */
export function expectEqual(robot: Pick<Robot, 'report'>, rule: string, subject: string, seen: unknown, expected: unknown): void {
  if (String(seen) !== String(expected)) robot.report({ rule, subject, seen: String(seen), expected: String(expected) })
}
