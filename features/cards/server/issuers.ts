import type { Deps } from '#platform/server/feature.ts'
import { fail } from '#platform/shared/errors.ts'
import { issuerByName, mainIssuer } from './vendors/index.ts'
import type { Issuer } from './vendors/port.ts'

/** The issuer of new cards. Errors: CARD_ISSUER_AWAY where none is connected. */
export function newIssuer(deps: Deps): Issuer {
  return mainIssuer(deps) ?? fail('CARD_ISSUER_AWAY')
}

/** The issuer that made a card; undefined when its credentials are gone. */
export function issuerNamed(deps: Deps, name: string): Issuer | undefined {
  return issuerByName(deps, name)
}
