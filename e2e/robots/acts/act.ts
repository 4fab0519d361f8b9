import type { Window } from '../pages/window.ts'
import type { Client } from '../people/client.ts'
import type { Person } from '../people/person.ts'
import type { Random } from '../people/random.ts'
import type { Product } from '../stage/product.ts'
import type { Violation } from '../oracle/violation.ts'

/** A person's memory between acts. */
export interface Memory {
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
  readonly person: Person
  readonly client: Client
  readonly product: Product
  readonly memory: Memory
  /** Invitation codes of people of the same run. */
  readonly codes: string[]
  report(violation: Violation): void
  /** The person's browser, opened by the first call; only of people who use pages. */
  readonly window?: () => Promise<Window>
}

/** One thing that people do, wise or foolish. Says in a few words what came of it. */
export interface Act {
  readonly name: string
  readonly weight: number
  run(robot: Robot, random: Random): Promise<string>
}

/** Reports where something is not as it must be. */
export function expectThat(robot: Pick<Robot, 'report'>, rule: string, subject: string, seen: unknown, expected: unknown): void {
  if (String(seen) !== String(expected)) robot.report({ rule, subject, seen: String(seen), expected: String(expected) })
}
