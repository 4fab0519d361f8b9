import type { Deps } from '#platform/server/feature.ts'
import { suppliersIn } from './vendors/index.ts'
import type { NumberSupplier } from './vendors/port.ts'

/** Suppliers that stand in for the connected ones, by configuration: for tests with books of their own. */
const instead = new WeakMap<object, readonly NumberSupplier[]>()

export function standIn({ config }: Pick<Deps, 'config'>, suppliers: readonly NumberSupplier[]): void {
  instead.set(config, suppliers)
}

export const suppliersOf = (deps: Deps): readonly NumberSupplier[] => instead.get(deps.config) ?? suppliersIn(deps)
export const supplierNamed = (deps: Deps, name: string): NumberSupplier | undefined => suppliersOf(deps).find((one) => one.name === name)
