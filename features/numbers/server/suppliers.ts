import type { Deps } from '#platform/server/feature.ts'
import { connectNumberSuppliers } from './vendors/index.ts'
import type { NumberSupplier } from './vendors/port.ts'

/** Suppliers that replace the connected ones, by configuration: fakes with their own records, for tests. */
const replacements = new WeakMap<object, readonly NumberSupplier[]>()

export function replaceNumberSuppliers({ config }: Pick<Deps, 'config'>, suppliers: readonly NumberSupplier[]): void {
  replacements.set(config, suppliers)
}

export const listNumberSuppliers = (deps: Deps): readonly NumberSupplier[] => replacements.get(deps.config) ?? connectNumberSuppliers(deps)
export const findNumberSupplier = (deps: Deps, name: string): NumberSupplier | undefined => listNumberSuppliers(deps).find((one) => one.name === name)
