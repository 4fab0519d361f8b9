import type { Deps } from '#platform/server/feature.ts'
import { issuerByName, issuersOf } from './vendors/index.ts'
import type { Issuer } from './vendors/port.ts'

/** Issuers that stand in for the connected ones, by configuration: for tests with a book of their own. */
const instead = new WeakMap<object, readonly Issuer[]>()

export function standIn({ config }: Pick<Deps, 'config'>, issuers: readonly Issuer[]): void {
  instead.set(config, issuers)
}

export function allIssuers(deps: Deps): readonly Issuer[] {
  return instead.get(deps.config) ?? issuersOf(deps)
}

/** Issuer of a card; undefined once its credentials are removed. */
export function issuerNamed(deps: Deps, name: string): Issuer | undefined {
  return instead.get(deps.config)?.find((issuer) => issuer.name === name) ?? issuerByName(deps, name)
}
