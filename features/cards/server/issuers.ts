import type { Deps } from '#platform/server/feature.ts'
import { findConnectedIssuer, listConnectedIssuers } from './vendors/index.ts'
import type { Issuer } from './vendors/port.ts'

/** Issuers of tests, with their own books, that replace the connected ones; by configuration. */
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
