import type { Deps } from '#platform/server/feature.ts'
import { findConnectedIssuer, listConnectedIssuers } from './vendors/index.ts'
import type { Issuer } from './vendors/port.ts'

/** Issuers that stand in for the connected ones, by configuration: for tests with a book of their own. */
const substitutes = new WeakMap<object, readonly Issuer[]>()

export function substituteIssuers({ config }: Pick<Deps, 'config'>, issuers: readonly Issuer[]): void {
  substitutes.set(config, issuers)
}

export function listIssuers(deps: Deps): readonly Issuer[] {
  return substitutes.get(deps.config) ?? listConnectedIssuers(deps)
}

/** Issuer of a card; undefined once its credentials are removed. */
export function findIssuer(deps: Deps, name: string): Issuer | undefined {
  return substitutes.get(deps.config)?.find((issuer) => issuer.name === name) ?? findConnectedIssuer(deps, name)
}
