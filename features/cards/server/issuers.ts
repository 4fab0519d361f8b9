import type { Deps } from '#platform/server/feature.ts'
import { fail } from '#platform/shared/errors.ts'
import type { Issuer } from './vendors/port.ts'

/** The issuers that are connected; the first makes new cards. */
let connected: readonly Issuer[] = []

export function useIssuers(issuers: readonly Issuer[]): void {
  connected = issuers
}

/** The issuer of new cards. Errors: CARD_ISSUER_AWAY where none is connected. */
export function newIssuer(_deps: Pick<Deps, 'config'>): Issuer {
  return connected[0] ?? fail('CARD_ISSUER_AWAY')
}

/** The issuer that made a card; undefined when its credentials are gone. */
export function issuerNamed(_deps: Pick<Deps, 'config'>, name: string): Issuer | undefined {
  return connected.find((each) => each.name === name)
}
