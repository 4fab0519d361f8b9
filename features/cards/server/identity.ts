import type { Sql } from '#platform/server/database/db.ts'
import type { Deps } from '#platform/server/feature.ts'
import type { Address } from './vendors/port.ts'

/** What cards ask the identity feature. */
export interface Standing {
  readonly status: 'none' | 'started' | 'saved' | 'passed' | 'rejected' | 'review'
  readonly method: 'face' | 'deposit' | null
  readonly verified: boolean
  readonly isTaxResidentUS: boolean
  readonly step: number
}
export interface Holder {
  readonly firstName: string
  readonly lastName: string
  readonly email: string
  readonly phone?: string
  readonly birthDate: string
  readonly address: Address
}
export interface IdentityDoor {
  standingOf(sql: Sql, userId: string): Promise<Standing>
  holderOf(deps: Deps, userId: string): Promise<Holder | undefined>
  requireReady(sql: Sql, userId: string): Promise<void>
}

let door: IdentityDoor | undefined

export function useIdentity(given: IdentityDoor): void {
  door = given
}
export const identity = (): IdentityDoor => door!
